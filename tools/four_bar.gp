# Picture of the four-bar mechanism, whole and co-simulated: paths, angles, what the cut transmits, what cutting costs.
# Variables: directory (holds trajectory.csv of the whole, a folder for each scheme; gets the picture), schemes, format
# (png or svg).
set encoding utf8
if (format eq 'png') { set terminal pngcairo size 1200,800 noenhanced } else { set terminal svg size 1200,800 noenhanced }
set output directory.'/four_bar.'.format
whole = directory.'/trajectory.csv'
bodies = 'bar1 bar2 bar3 bar4'
set datafile separator comma
set style data lines
set for [i=1:4] linetype i linewidth 2
set linetype 3 linewidth 2 dashtype 2 # bar3 turns with bar2
set grid
set key outside right
set multiplot layout 2,2 title 'Four-bar mechanism, cut at the bushing between bar2 and bar3'

set title 'paths of the centres of mass'
set xlabel 'x / m'
set ylabel 'y / m'
set size ratio -1
plot for [body in bodies] whole using body.'.x':body.'.y' title body
set size noratio

set xlabel 'time / s'
set title 'angles'
set ylabel 'φ / rad'
plot for [body in bodies] whole using 'time':body.'.phi' title body

set title 'force that the cut transmits, '.word(schemes, words(schemes))
set ylabel 'λ / N'
cut = directory.'/'.word(schemes, words(schemes)).'/couplings.csv'
plot for [component in 'x y'] cut using 'time':'M.lambda_'.component every 10 title 'λ_'.component

set title 'what cutting costs: error of the angle of bar2'
set ylabel '|φ - φ of the whole| / rad'
set linetype 3 dashtype 1
set logscale y
set format y '%.0e'
stats whole using 0 nooutput
n = STATS_columns
phi = 10 # time, six columns of bar1, then x, y, phi of bar2
plot for [scheme in schemes] '< paste -d, '.directory.'/'.scheme.'/trajectory.csv '.whole \
  using 1:(abs(column(phi) - column(n + phi))) every ::2 title scheme
unset multiplot
