package io.multimed.jdbc.replay;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.DuckDb;
import io.multimed.jdbc.engine.JdbcEngine;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests that the example of an engine in docs/jdbc.md is the one that is compiled and run here. */
class DocumentedEngineTest {
    private static String documents() throws IOException {
        return Files.readString(Path.of("..", "docs", "jdbc.md"));
    }

    @Test
    void theExampleIsTheDescriptionThatTestsRunWith() throws IOException {
        String source =
                Files.readString(Path.of("src/test/java", DuckDb.class.getName().replace('.', '/') + ".java"));
        String but = source.substring(source.indexOf("/** DuckDB"));
        assertTrue(documents().contains("```java\n" + but + "```\n"), "docs/jdbc.md has another text than DuckDb.java");
    }

    @Test
    void whatHasToBeWrittenIsNamed() throws IOException {
        String text = documents();
        for (Method method : JdbcEngine.class.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers())) {
                assertTrue(text.contains("`" + method.getName() + "`"), method.getName());
            }
        }
    }
}
