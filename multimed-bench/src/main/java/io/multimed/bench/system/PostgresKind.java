package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.nio.file.Path;
import java.util.List;
import org.postgresql.util.DriverInfo;

/** PostgreSQL. */
public final class PostgresKind implements ServerKind<EngineBinaries> {
    @Override
    public String user() {
        return "postgres";
    }

    @Override
    public String program() {
        return "io.multimed.cli.Main";
    }

    @Override
    public EngineBinaries programs() throws BenchException, InterruptedException {
        try {
            return EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), CopyProgress.SILENT);
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public List<String> systems() {
        return Systems.names();
    }

    @Override
    public SystemUnderTest system(String name, Equipment<EngineBinaries> equipment, Systems.Options options) {
        return Systems.of(name, equipment, options);
    }

    @Override
    public Path initialise(Workspace workspace, EngineBinaries programs, String name)
            throws BenchException, InterruptedException {
        return Template.initialise(workspace, programs, name);
    }

    @Override
    public <T> T fill(
            Workspace workspace, EngineBinaries programs, Path data, String isolation, Template.Filling<T> filling)
            throws BenchException, InterruptedException {
        return Template.fill(workspace, programs, data, isolation, filling);
    }

    @Override
    public String driver() {
        return DriverInfo.DRIVER_FULL_NAME;
    }

    @Override
    public String durability(String system) {
        return system.equals(Systems.UNDURABLE)
                ? "none"
                : "fsync, synchronous_commit and full_page_writes on the Master or the one PostgreSQL";
    }
}
