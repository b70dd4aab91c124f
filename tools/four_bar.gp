# Picture of a run of the four-bar mechanism: paths of the bodies, their angles, energies.
# Variables: directory (holds trajectory.csv, gets the picture), format (png or svg).
set encoding utf8
if (format eq 'png') { set terminal pngcairo size 1200,800 noenhanced } else { set terminal svg size 1200,800 noenhanced }
set output directory.'/four_bar.'.format
data = directory.'/trajectory.csv'
bodies = 'bar1 bar2 bar3 bar4'
set datafile separator comma
set style data lines
set for [i=1:4] linetype i linewidth 2
set linetype 3 linewidth 2 dashtype 2 # bar3 turns with bar2
set grid
set key outside right
set multiplot layout 2,2 title 'Four-bar mechanism with a bushing'

set title 'paths of the centres of mass'
set xlabel 'x / m'
set ylabel 'y / m'
set size ratio -1
plot for [body in bodies] data using body.'.x':body.'.y' title body
set size noratio

set xlabel 'time / s'
set title 'angles'
set ylabel 'φ / rad'
plot for [body in bodies] data using 'time':body.'.phi' title body

set title 'angular velocities'
set ylabel 'ω / (rad/s)'
plot for [body in bodies] data using 'time':body.'.omega' title body

set title 'energies, change since the start'
set ylabel 'E / J'
since_start(row, value) = (start = (row == 0 ? value : start), value - start)
plot for [energy in 'kinetic potential total dissipated'] \
  data using 'time':(since_start(column(0), column('energy.'.energy))) title energy
unset multiplot
