# Picture of the four-bar mechanism, whole and co-simulated: paths, angles, what the cut transmits, what cutting costs.
# Variables: directory (holds trajectory.csv of the whole, a folder for each scheme; gets the picture), schemes, format
# (png, svg or pdf). In the root of the tree.
load 'app/plots/style.gp'
if (format eq 'png') { set terminal pngcairo enhanced font 'Helvetica,9' fontscale 2.08 linewidth 2.08 size 1339,1063 }
if (format eq 'svg') { set terminal svg enhanced font 'Helvetica,Arial,sans-serif,9' fontscale 1.33 background rgb 'white' size 643,510 }
if (format eq 'pdf') { set terminal pdfcairo enhanced font 'Helvetica,9' size 17cm,13.5cm }
set output directory.'/four_bar.'.format
whole = directory.'/trajectory.csv'
cut = directory.'/'.word(schemes, words(schemes)).'/couplings.csv'
bodies = 'bar1 bar2 bar3 bar4'
set datafile separator comma
head = 'head -n 1 '.whole." | tr ',' '\\n' | "
n = int(system(head.'wc -l'))
phi = int(system(head.'grep -nx bar2.phi | cut -d: -f1'))
set key Left reverse font ',8'
set label 1 '{/:Bold four\_bar\_bushing}' at screen 0.5,0.975 center font ',10'
set label 2 'whole, and cut at its bushing M between bar2 and bar3;  c = 1000 N/m, d = 10 N s/m;  {/:Italic H} = 0.001 s' \
  at screen 0.5,0.94 center font ',8'
set multiplot layout 2,2 margins 0.09,0.98,0.09,0.875 spacing 0.115,0.135
set title offset 0,-0.7 font ',9'

set title '(a) paths of the centres of mass, whole'
set xlabel '{/:Italic x} / m'
set ylabel '{/:Italic y} / m'
set xrange [-0.4:2.3]
set yrange [0.2:2]
set key at graph 0.53,0.4 left top
plot for [i=1:4] whole using word(bodies, i).'.x':word(bodies, i).'.y' with lines linetype i dashtype 1 linewidth 2 notitle, \
  for [i=1:4] '+' using (NaN):(NaN) with lines linetype i dashtype 1 linewidth 2 title word(bodies, i)
unset label

set title '(b) angles, whole'
set xlabel '{/:Italic t} / s'
set ylabel '{/:Italic φ} / rad'
set xrange [0:10]
set yrange [0.3:2.8]
set key at graph 0.98,0.97 right top maxrows 2
plot for [i=1:4] whole using 'time':word(bodies, i).'.phi' with lines linetype i title word(bodies, i)

set title '(c) force that the cut transmits, '.word(schemes, words(schemes))
set ylabel '{/:Italic λ} / N'
set yrange [-2:11]
set key at graph 0.98,0.97 right top maxrows 2
plot for [component in 'x y'] cut using 'time':'M.lambda_'.component every 10 with lines title '{/:Italic λ}_'.component

set title '(d) what cutting costs: error of φ_{bar2}'
set ylabel '|Δ{/:Italic φ}_{bar2}| / rad'
set logscale y
set yrange [1e-14:1e-2]
set ytics 1e-14, 100
set format y '10^{%L}'
set key at graph 0.98,0.97 right top maxrows 2
plot for [i=1:words(schemes)] '< paste -d, '.directory.'/'.word(schemes, i).'/trajectory.csv '.whole \
  using 1:(abs(column(phi) - column(n + phi))) every ::2 with lines linetype i linewidth 1 title word(schemes, i)
unset multiplot
