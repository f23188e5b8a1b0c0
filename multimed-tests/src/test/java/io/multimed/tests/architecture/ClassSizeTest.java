package io.multimed.tests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A class in main code has at most {@value #MOST_FIELDS} instance fields and {@value #MOST_LINES} lines. One that has more says why, in a
 * sentence of its Javadoc that begins as {@link #FIELDS}, {@link #LINES} or {@link #BOTH}; others have no such sentence.
 */
class ClassSizeTest {
    private static final int MOST_FIELDS = 12;
    private static final int MOST_LINES = 400;
    private static final String FIELDS = "It has more fields than other classes, since ";
    private static final String LINES = "It has more lines than other classes, since ";
    private static final String BOTH = "It has more fields and lines than other classes, since ";

    @Test
    void aClassWithManyFieldsOrLinesSaysWhy() throws IOException {
        List<Path> sources = sources();
        assertTrue(sources.size() > 500, () -> sources.size() + " sources");
        List<String> wrong = new ArrayList<>();
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no JDK");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Sizes(docs, unit, wrong).scan(unit, null);
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path main : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(main)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    /** Compares the classes of one file with their Javadoc. */
    private static final class Sizes extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final DocTrees docs;
        private final CompilationUnitTree unit;
        private final List<String> wrong;

        Sizes(DocTrees docs, CompilationUnitTree unit, List<String> wrong) {
            this.docs = docs;
            this.unit = unit;
            this.wrong = wrong;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
            String comment = docs.getDocComment(getCurrentPath());
            String said = comment == null ? "" : comment.replaceAll("\\s+", " ");
            // A record's fields are its components, which its users see.
            long fields = type.getKind() == Tree.Kind.RECORD
                    ? 0
                    : type.getMembers().stream().filter(Sizes::isInstanceField).count();
            compare(type, fields + " fields", fields > MOST_FIELDS, said.contains(FIELDS) || said.contains(BOTH));
            boolean isTopLevel = getCurrentPath().getParentPath().getLeaf() == unit;
            long lines = isTopLevel ? lines() : 0;
            compare(type, lines + " lines", lines > MOST_LINES, said.contains(LINES) || said.contains(BOTH));
            return super.visitClass(type, null);
        }

        private void compare(ClassTree type, String size, boolean isMuch, boolean isSaid) {
            if (isMuch != isSaid) {
                wrong.add(unit.getPackageName() + ": " + type.getSimpleName() + " has " + size
                        + (isMuch ? " and does not say why" : " and says that these are more than in other classes"));
            }
        }

        private static boolean isInstanceField(Tree member) {
            return member instanceof VariableTree field
                    && !field.getModifiers().getFlags().contains(Modifier.STATIC);
        }

        private long lines() {
            try {
                return unit.getSourceFile()
                        .getCharContent(true)
                        .toString()
                        .lines()
                        .count();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
