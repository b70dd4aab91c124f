# The look of all pictures. Colours that colour-blind readers distinguish ([Okabe-Ito]); dashes and points for grey.
set encoding utf8
set minussign
set border linewidth 0.6
set tics scale 0.7
set grid back linetype 1 dashtype 1 linewidth 0.4 linecolor rgb '#dddddd'
set key opaque samplen 3 spacing 1.05 noautotitle
set linetype  1 linewidth 1.5 linecolor rgb '#0072b2' dashtype 1              pointtype 7
set linetype  2 linewidth 1.5 linecolor rgb '#d55e00' dashtype (12,5)         pointtype 5
set linetype  3 linewidth 1.5 linecolor rgb '#009e73' dashtype (3,3)          pointtype 9
set linetype  4 linewidth 1.5 linecolor rgb '#cc79a7' dashtype (14,4,3,4)     pointtype 13
set linetype  5 linewidth 1.5 linecolor rgb '#e69f00' dashtype (22,5)         pointtype 11
set linetype  6 linewidth 1.5 linecolor rgb '#56b4e9' dashtype (12,3,3,3,3,3) pointtype 4
set linetype  7 linewidth 1.5 linecolor rgb '#000000' dashtype (6,3)          pointtype 6
set linetype  8 linewidth 1.5 linecolor rgb '#0072b2' dashtype (3,6)          pointtype 8
set linetype  9 linewidth 1.5 linecolor rgb '#d55e00' dashtype 1              pointtype 12
set linetype 10 linewidth 1.5 linecolor rgb '#009e73' dashtype (14,4,3,4)     pointtype 10
set linetype 11 linewidth 1.5 linecolor rgb '#cc79a7' dashtype (6,3)          pointtype 7
set linetype 12 linewidth 1.5 linecolor rgb '#e69f00' dashtype (3,3)          pointtype 5
set linetype 13 linewidth 1.5 linecolor rgb '#56b4e9' dashtype 1              pointtype 9
set linetype 14 linewidth 1.5 linecolor rgb '#000000' dashtype (22,5)         pointtype 13
set linetype cycle 14
