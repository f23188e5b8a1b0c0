package io.multimed.endpoint.pg.session.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.multimed.sql.Statement;
import org.junit.jupiter.api.Test;

class ShapesTest {
    private final Shapes<String> shapes = new Shapes<>(2);
    private final Statement first = new Statement.Read(false);
    private final Statement second = new Statement.Read(false);
    private final Statement third = new Statement.Read(false);

    @Test
    void oneThatIsRemovedMakesRoomForAnotherAlthoughAllAreEqual() {
        shapes.add(first, "first");
        shapes.add(second, "second");
        shapes.remove(second);
        shapes.add(third, "third");
        assertEquals("first", shapes.get(first));
        assertNull(shapes.get(second));
        assertEquals("third", shapes.get(third));
        shapes.add(second, "again");
        assertNull(shapes.get(first));
        assertEquals("third", shapes.get(third));
        assertEquals("again", shapes.get(second));
    }
}
