package io.multimed.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import io.multimed.endpoint.pg.session.reads.MeasuredTimes;
import io.multimed.endpoint.pg.session.reads.MeasuredTimes.Mean;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.server.config.PartialSatellite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadTimesFileTest {
    private static final NodeId ID = new NodeId("analytics");
    private static final Mean WHOLE = new Mean("postgres", -17, NodeContents.WHOLE_BIT, 5_000_000);
    private static final Mean PART = new Mean("postgres", -17, 1, 1_000_000);

    @TempDir
    Path directory;

    private ReadTimesFile file(String... indexes) {
        return new ReadTimesFile(
                directory.resolve("read-times"),
                List.of(new ComputationalNode(ID, Role.SATELLITE, NodeContents.part(0, NodeContents.Takes.ALL))),
                List.of(new PartialSatellite(
                        ID,
                        "postgres",
                        List.of("public.line"),
                        Map.of(),
                        List.of(),
                        List.of(indexes),
                        NodeContents.Takes.ALL,
                        OptionalInt.empty())));
    }

    private void written(Mean... means) {
        MeasuredTimes times = new MeasuredTimes();
        ReadTimesFile file = file();
        file.readInto(times);
        for (Mean mean : means) {
            times.set(mean);
        }
        file.write();
    }

    private static List<Mean> read(ReadTimesFile file) {
        MeasuredTimes times = new MeasuredTimes();
        file.readInto(times);
        return times.all();
    }

    @Test
    void keepsTheTimesOfEachNode() {
        written(WHOLE, PART);
        assertEquals(
                List.of(PART, WHOLE).stream()
                        .sorted((a, b) -> Long.compare(a.node(), b.node()))
                        .toList(),
                read(file()));
    }

    @Test
    void forgetsThoseOfAPartialSatelliteThatIsConfiguredOtherwise() {
        written(WHOLE, PART);
        assertEquals(List.of(WHOLE), read(file("CREATE INDEX ON public.line (item)")));
    }

    @Test
    void tellsDatabasesApart() {
        Mean other = new Mean("an archive\nof 50 % \u00e4", -17, NodeContents.WHOLE_BIT, 9_000_000);
        written(WHOLE, other);
        assertEquals(Set.of(WHOLE, other), Set.copyOf(read(file())));
    }

    @Test
    void readsTheFileOfAnEarlierVersion() throws IOException {
        written(WHOLE, PART);
        Path path = directory.resolve("read-times");
        String now = Files.readString(path);
        Files.writeString(path, now.replace("version 2", "version 1").replace(" postgres\n", "\n"));
        assertFalse(Files.readString(path).equals(now));
        assertEquals(Set.of(WHOLE, PART), Set.copyOf(read(file())));
    }

    @Test
    void isNotWrittenWithoutTimes() {
        written();
        assertFalse(Files.exists(directory.resolve("read-times")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "something else\n",
                "multimed: processor times of reads, version 1\nffffffffffffffef full",
                "multimed: processor times of reads, version 2\nffffffffffffffef full 12\n",
                "multimed: processor times of reads, version 2\nffffffffffffffef full 12 %x\n",
                "multimed: processor times of reads, version 1\nffffffffffffffef full 12 postgres\n",
                "multimed: processor times of reads, version 1\nffffffffffffffef full\n",
                "multimed: processor times of reads, version 1\nffffffffffffffef full 0\n",
                "multimed: processor times of reads, version 1\nffffffffffffffef full 12x\n",
                "multimed: processor times of reads, version 1\nshape full 12\n",
                "multimed: processor times of reads, version 1\nffffffffffffffef full 12\n\n"
            })
    void isIgnoredWhenDamagedAndWrittenAnew(String text) throws IOException {
        Files.writeString(directory.resolve("read-times"), text);
        assertEquals(List.of(), read(file()));
        written(WHOLE);
        assertEquals(List.of(WHOLE), read(file()));
    }
}
