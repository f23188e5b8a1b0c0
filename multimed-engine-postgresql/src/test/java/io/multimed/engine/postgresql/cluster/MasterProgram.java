package io.multimed.engine.postgresql.cluster;

import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Runs a Master until a line comes in, then stops it: a Multimed that tests can kill. */
public final class MasterProgram {
    private MasterProgram() {}

    /** @param arguments the directory of the programs, and one for everything else */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        MasterCluster master = new MasterCluster(new MasterConfig(
                EngineBinaries.installed(Path.of(arguments[0])),
                EngineUser.choose("postgres"),
                directory.resolve("master"),
                directory.resolve("run"),
                directory.resolve("log/master.log"),
                CoreBinding.NONE,
                256L << 20,
                20,
                Map.of()));
        if (!master.initialised()) {
            master.initialise();
        }
        master.start(Duration.ofSeconds(60), reason -> System.out.println("crash " + reason));
        System.out.println("pid " + master.pid());
        if (System.in.read() >= 0) {
            master.stop(Duration.ofSeconds(30));
            System.out.println("stopped");
        }
    }
}
