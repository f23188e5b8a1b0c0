package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.random.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Net effects, compared with the same changes made one by one. */
class NetEffectTest {
    private static final int[] KEY = {0};

    @Test
    void insertAndDeleteAreNothing() {
        NetEffect effect = new NetEffect(KEY);
        effect.insert(Row.of("1", "a"));
        effect.update(null, Row.of("1", "b"));
        effect.update(Row.of("1", null), Row.of("2", "b"));
        effect.delete(Row.of("2", null));
        assertEquals(List.of(), effect.deleted());
        assertEquals(List.of(), effect.updated());
        assertEquals(List.of(), effect.inserted());
    }

    @Test
    void deleteAndInsertAreAnUpdate() {
        NetEffect effect = new NetEffect(KEY);
        effect.delete(Row.of("1", null));
        effect.insert(Row.of("1", "b"));
        assertEquals(List.of(), effect.deleted());
        assertEquals(List.of(new NetEffect.Updated(Row.of("1"), Row.of("1", "b"))), effect.updated());
        assertEquals(List.of(), effect.inserted());
    }

    @Test
    void aMovedRowKeepsItsFirstKeyAndItsLastValues() {
        NetEffect effect = new NetEffect(KEY);
        effect.update(null, Row.of("1", "a"));
        effect.update(Row.of("1", null), unchanged("2"));
        effect.insert(Row.of("1", "new"));
        assertEquals(List.of(new NetEffect.Updated(Row.of("1"), Row.of("2", "a"))), effect.updated());
        assertEquals(List.of(Row.of("1", "new")), effect.inserted());
    }

    @Test
    void twoRowsOfOneKeyAreRefused() {
        NetEffect effect = new NetEffect(KEY);
        effect.insert(Row.of("1", "a"));
        assertThrows(NetEffect.KeyTwiceException.class, () -> effect.insert(Row.of("1", "b")));
    }

    /** Few keys and many changes, so that rows meet in every way. */
    @Test
    void randomChangesHaveTheEffectOfTheirSequence() {
        long seed = Seed.of("multimed.writeset.seed");
        Random random = new Random(seed);
        int compacted = 0;
        int unchanged = 0;
        int moved = 0;
        int reborn = 0;
        for (int round = 0; round < 20_000; round++) {
            String context = "seed " + seed + ", round " + round;
            Map<String, String> table = new HashMap<>();
            for (int row = 0; row < 4; row++) {
                table.put(Integer.toString(row), "old" + row);
            }
            Map<String, String> target = new HashMap<>(table);
            NetEffect effect = new NetEffect(KEY);
            int changes = 1 + random.nextInt(12);
            for (int change = 0; change < changes; change++) {
                String one = Integer.toString(random.nextInt(7));
                String other = Integer.toString(random.nextInt(7));
                String value = "v" + change;
                if (!table.containsKey(one)) {
                    effect.insert(Row.of(one, value));
                    table.put(one, value);
                } else if (random.nextInt(3) == 0) {
                    effect.delete(Row.of(one, null));
                    table.remove(one);
                } else {
                    boolean moves = !one.equals(other) && !table.containsKey(other);
                    boolean keeps = random.nextBoolean();
                    String now = moves ? other : one;
                    String before = table.remove(one);
                    table.put(now, keeps ? before : value);
                    effect.update(moves ? Row.of(one, null) : null, keeps ? unchanged(now) : Row.of(now, value));
                    moved += moves ? 1 : 0;
                }
            }
            for (Row gone : effect.deleted()) {
                assertNotNull(target.remove(gone.text(0)), context);
            }
            // Updates happen at once here: an engine that meets a key twice on the way is asked row by row.
            Map<String, String> changed = new HashMap<>();
            for (NetEffect.Updated update : effect.updated()) {
                String before = target.remove(update.key().text(0));
                assertNotNull(before, context);
                boolean same = update.row().isUnchanged(1);
                assertNull(
                        changed.put(
                                update.row().text(0),
                                same ? before : update.row().text(1)),
                        context);
                unchanged += same ? 1 : 0;
                reborn += before.startsWith("old") && !same ? 1 : 0;
            }
            for (Map.Entry<String, String> update : changed.entrySet()) {
                assertNull(target.put(update.getKey(), update.getValue()), context);
            }
            for (Row row : effect.inserted()) {
                assertFalse(row.hasUnchanged(), context);
                assertNull(target.put(row.text(0), row.text(1)), context);
            }
            assertEquals(table, target, context);
            int statements = effect.deleted().size()
                    + effect.updated().size()
                    + effect.inserted().size();
            compacted += statements < changes ? 1 : 0;
        }
        List<Integer> counts = new ArrayList<>(List.of(compacted, unchanged, moved, reborn));
        assertTrue(counts.stream().allMatch(count -> count > 1000), counts.toString());
    }

    private static Row unchanged(String key) {
        Row.Builder row = new Row.Builder(2);
        row.text(0, key.getBytes(StandardCharsets.UTF_8));
        row.unchanged(1);
        return row.build();
    }
}
