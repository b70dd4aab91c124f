/* `seam sweep`: makes many runs of one model with varied values. */
#include "app/sweep/sweep.h"
#include "app/command.h"

static int run(const app_options *parsed, seam_error *error) {
  const sweep_workers alone = {.size = 1};
  if (!options_flag(parsed, "--merge") && parsed->n_operands > 1)
    return seam_status_exit(
        seam_fail(error, SEAM_BAD_INPUT,
                  "seam: too many arguments; usage: seam sweep [OPTIONS] MODEL, or seam sweep --merge DIR... -o DIR"));
  return sweep_run(parsed, &alone, error);
}

static const app_option table[] = {
    {"--vary", "KEY=VALUES", .help = "FROM:TO:N[:log], [A, B, ...], uniform(A, B), normal(MEAN, SIGMA)",
     .names_folder = true},
    {"--sample", "KIND", .help = "grid (default), lhs or random", .words = "grid lhs random", .names_folder = true},
    {"--count", "N", .help = "runs, of lhs and random", .names_folder = true},
    {"--seed", "S", .help = "of lhs and random; default 0", .names_folder = true},
    {"--measure", "NAME.STATISTIC", .help = "min, max, mean, integral, rms or last; default: what over_run asks for",
     .names_folder = true},
    {"--cosim", .help = "co-simulate, as the model's section 'cosim' says", .names_folder = true},
    {"--scheme", "NAME", .help = "of all couplings of its kind", .words = "@schemes", .names_folder = true},
    {"-o", "DIR", .help = "write the results there; default: results/NAME/sweep, what varies behind it"},
    OPTION_END,
    {"--output-step", "TIME", .help = "time between rows of a run, s", .override_key = "simulate.output_step"},
    {"--threads", "N", .help = "runs at a time; default: one for each processor"},
    {"--shard", "I/N", .help = "the I-th of N parts of the runs"},
    {"--merge", .help = "puts shards together: the arguments are their folders"},
    OPTION_FORMAT,
    OPTION_NAMES,
    OPTION_SET,
    {"--accept-wrong", .help = "end with status 0 where runs are wrong and none failed"},
    {"--accept-suspect", .help = "the same, as version 0.2 called it"},
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

const app_command sweep_command = {
    .name = "sweep",
    .summary = "run a model with many values",
    .operands = "MODEL",
    .details =
        "Runs a model many times, each with other values in its file, and writes a row a run: DIR/sweep.csv has the\n"
        "number of the run, what varies, what is measured and its uncertainty, the exit status and the energy\n"
        "imbalance; DIR/summary.json the design; DIR/messages.txt what wrong and failed runs said; and a picture.\n"
        "\n"
        "--vary and --measure are repeatable. Runs of a grid are all combinations, the last --vary fastest. Of a\n"
        "Latin hypercube (lhs) each of N equally probable parts of every value has one run. Random values depend on\n"
        "the seed and the number of the run alone.\n"
        "\n"
        "Runs that fail do not stop the others: their figures are empty, and the exit status is 1, or 3 where runs\n"
        "are only wrong. Values that make the file invalid are refused before anything runs.\n"
        "\n"
        "A sweep that was interrupted or killed goes on with the same command. --shard I/N runs a part, on another\n"
        "machine for example; --merge makes of all parts the files of a sweep that was never shared, to the byte.\n"
        "'mpirun seam-mpi sweep ...' shares the runs among processes, where Seam was built with MPI.\n"
        "\n"
        "  seam sweep four_bar_bushing --vary parameters.c=1e2:1e5:31:log --measure bar1.omega.max\n"
        "  seam sweep mine.yaml --vary parameters.k='normal(200, 10)' --sample lhs --count 100 --measure pull.max\n"
        "  seam sweep --merge results/a results/b -o results/all",
    .options = table,
    .n_operands = {1, 10000},
    .run = run,
};
