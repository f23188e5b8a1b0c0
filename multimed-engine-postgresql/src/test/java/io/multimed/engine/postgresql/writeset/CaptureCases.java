package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** A release of the Master with a way on which its changes are captured. */
public final class CaptureCases {
    private CaptureCases() {}

    /** Returns every release that decodes its log, and the embedded one with triggers. */
    public static Stream<Arguments> some() throws Exception {
        List<EngineBinaries> releases = TestEngines.releases();
        return Stream.concat(
                releases.stream().map(release -> Arguments.of(release, CaptureKind.LOG)),
                Stream.of(Arguments.of(releases.get(0), CaptureKind.TRIGGERS)));
    }

    /** Returns the least {@code wal_level} that suffices. */
    public static String walLevel(CaptureKind capture) {
        return capture == CaptureKind.LOG ? "logical" : "replica";
    }
}
