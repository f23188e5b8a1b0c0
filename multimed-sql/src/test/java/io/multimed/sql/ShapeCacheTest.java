package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ShapeCacheTest {
    private static final ClassifiedSql READ = ClassifiedSql.of(new Statement.Read(false));

    @Test
    void keepsShapesOfOneCatalogApartFromThoseOfAnother() {
        ShapeCache cache = new ShapeCache(16);
        cache.put(1, 2, 3, READ);
        assertSame(READ, cache.get(1, 2, 3));
        assertNull(cache.get(1, 2, 4));
        assertNull(cache.get(2, 2, 3));
        cache.put(1, 2, 3, ClassifiedSql.UNPARSED);
        assertSame(ClassifiedSql.UNPARSED, cache.get(1, 2, 3));
    }

    @Test
    void neverHoldsMoreThanItsCapacity() {
        ShapeCache cache = new ShapeCache(100);
        assertEquals(128, cache.capacity());
        Random random = new Random(1);
        long[][] keys = new long[10_000][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = new long[] {random.nextLong(), random.nextLong()};
            cache.put(keys[i][0], keys[i][1], 1, READ);
        }
        int held = 0;
        for (long[] key : keys) {
            held += cache.get(key[0], key[1], 1) == null ? 0 : 1;
        }
        assertTrue(held > 0 && held <= cache.capacity(), "holds " + held);
    }

    @Test
    void keepsWhatIsUsedWhileOthersComeAndGo() {
        ShapeCache cache = new ShapeCache(64);
        Random random = new Random(2);
        cache.put(1, 1, 1, READ);
        for (int i = 0; i < 10_000; i++) {
            assertSame(READ, cache.get(1, 1, 1));
            cache.put(random.nextLong(), random.nextLong(), 1, ClassifiedSql.UNPARSED);
        }
    }
}
