package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.series.Preflight;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.nio.file.Path;
import java.util.List;

/** {@code multimed demo}: shows the effect of Multimed on this machine, in about two minutes. */
final class DemoCommand {
    private static final String LINE = "tpcw --clients 32 --warmup 15 --time 30 --runs 1 --ebs ";
    private static final String EBS = "20";
    /** Number of EBs on a machine with little memory. */
    private static final String FEW_EBS = "2";

    private static final long PLENTY_BYTES = 4_000_000_000L;

    static final Subcommand COMMAND = new Subcommand(
            "demo",
            "One PostgreSQL against Multimed on the same cores: TPC-W's browsing mix, in about two minutes.\n"
                    + "One short run each shows a direction and proves nothing: see multimed help bench tpcw. Results and a"
                    + " page with charts go to ./results/demo.",
            List.of(),
            DemoCommand::run);

    private DemoCommand() {}

    private static int run(Arguments given) throws BenchException {
        Path out = Path.of("results", "demo");
        String line = LINE + (Preflight.availableMemory() < PLENTY_BYTES ? FEW_EBS : EBS) + " --out " + out;
        int status = BenchCommand.run(BenchCommand.described(
                List.of(line.split(" ")), new ConsoleLines(System.out, System.err), List.of())::run);
        if (status == 0) {
            System.out.println("charts: " + ReportCommand.write(out.toAbsolutePath()));
        }
        return status;
    }
}
