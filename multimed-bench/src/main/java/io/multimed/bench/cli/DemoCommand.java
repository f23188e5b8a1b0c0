package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.series.Preflight;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.series.Warmup;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.TpcwMix;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code multimed demo}: shows the effect of Multimed on this machine, in about two minutes. */
final class DemoCommand {
    private static final int CLIENTS = 32;
    private static final int ITEMS = 10_000;
    private static final int EBS = 20;
    /** Number of EBs on a machine with little memory. */
    private static final int FEW_EBS = 2;

    private static final long PLENTY_BYTES = 4_000_000_000L;
    private static final int WARMUP_SECONDS = 15;
    private static final int SECONDS = 30;
    private static final int POOL = 20;

    static final Subcommand COMMAND = new Subcommand(
            "demo",
            "One PostgreSQL against Multimed on the same cores: TPC-W's browsing mix, in about two minutes.\n"
                    + "One short run each shows a direction and proves nothing: see multimed help bench tpcw. Results and a"
                    + " page with charts go to ./results/demo.",
            List.of(),
            DemoCommand::run);

    private DemoCommand() {}

    private static int run(Arguments given) throws BenchException {
        Path out = Path.of("results", "demo").toAbsolutePath();
        SeriesOptions options = new SeriesOptions(
                List.of(CLIENTS),
                List.of(0),
                List.of("standalone", "multimed"),
                1,
                Warmup.of(WARMUP_SECONDS),
                SECONDS,
                1,
                out,
                Path.of(System.getProperty("java.io.tmpdir")),
                1,
                POOL,
                Map.of());
        TpcwScale scale = new TpcwScale(Preflight.availableMemory() < PLENTY_BYTES ? FEW_EBS : EBS, ITEMS);
        int status = TpcwCommand.run(new Tpcw(TpcwWorkload.of(TpcwMix.BROWSING), scale, options.seed()), options);
        if (status == 0) {
            System.out.println("charts: " + ReportCommand.write(out));
        }
        return status;
    }
}
