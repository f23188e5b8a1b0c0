package io.multimed.jdbc.generator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;

/**
 * Writes one delegating class per interface of JDBC. It is an annotation processor and not a program that uses reflection, because
 * only the compiler knows {@code java.sql} as of {@code --release 17}, whichever JDK builds.
 */
public final class DelegateProcessor extends AbstractProcessor {
    /**
     * A generated class.
     *
     * @param type the interface that it implements
     * @param parent the class of the package that it extends; empty if none
     */
    private record Layer(String type, String parent) {}

    /** The generated classes. Hand-written classes lie between those for statements, which extend each other. */
    private static final List<Layer> LAYERS = List.of(
            new Layer("Connection", ""),
            new Layer("DatabaseMetaData", ""),
            new Layer("ResultSet", ""),
            new Layer("Statement", ""),
            new Layer("PreparedStatement", "LogicalStatement"),
            new Layer("CallableStatement", "LogicalPreparedStatement"));

    /** Hooks around a catalog query, which is a unit of work on the engine like a statement. */
    private static final String QUERIES = """

                /** A query is about to be asked of what is returned. */
                abstract java.sql.DatabaseMetaData asked() throws java.sql.SQLException;

                /** Its answer passes here on its way to the application. */
                abstract java.sql.ResultSet answered(java.sql.ResultSet result) throws java.sql.SQLException;

                /** It failed. */
                abstract java.sql.SQLException refused(java.sql.SQLException error);

                /** Whatever has come of it, also if it could not be asked. */
                abstract void ended();
            """;

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        return Set.of(GenerateDelegates.class.getName());
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latest();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        for (Element found : round.getElementsAnnotatedWith(GenerateDelegates.class)) {
            String target = ((PackageElement) found).getQualifiedName().toString();
            for (Layer layer : LAYERS) {
                write(target, "Delegating" + layer.type(), delegating(target, layer));
            }
            write(target, "ParameterReplay", ParameterCode.replay(target, preparedStatement()));
        }
        return true;
    }

    private List<ExecutableElement> preparedStatement() {
        return methods("PreparedStatement");
    }

    private List<ExecutableElement> methods(String type) {
        TypeElement element = processingEnv.getElementUtils().getTypeElement("java.sql." + type);
        if (element == null) {
            throw new IllegalStateException("no java.sql." + type + " to delegate to");
        }
        return ElementFilter.methodsIn(element.getEnclosedElements()).stream()
                .filter(method -> !method.getModifiers().contains(Modifier.STATIC))
                .toList();
    }

    private void write(String target, String name, String source) {
        try (Writer out =
                processingEnv.getFiler().createSourceFile(target + "." + name).openWriter()) {
            out.write(source);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + name, e);
        }
    }

    private String delegating(String target, Layer layer) {
        StringBuilder out = new StringBuilder();
        out.append("package ").append(target).append(";\n\n");
        out.append("/** Generated: every method of {@link java.sql.").append(layer.type());
        out.append("} goes to what {@link #delegate} returns at the time. */\n");
        out.append("@org.jspecify.annotations.NullUnmarked\n");
        out.append("@SuppressWarnings({\"deprecation\", \"removal\"})\n");
        out.append("abstract class Delegating").append(layer.type());
        if (!layer.parent().isEmpty()) {
            out.append(" extends ").append(layer.parent());
        }
        out.append(" implements java.sql.").append(layer.type()).append(" {\n");
        if (!layer.parent().isEmpty()) {
            out.append("    Delegating").append(layer.type());
            out.append("(Session session, LogicalConnection connection, StatementForm form)");
            out.append(" throws java.sql.SQLException {\n");
            out.append("        super(session, connection, form);\n    }\n\n    @Override\n");
        }
        out.append("    abstract java.sql.").append(layer.type()).append(" delegate() throws java.sql.SQLException;\n");
        if (layer.type().equals("DatabaseMetaData")) {
            out.append(QUERIES);
        }
        if (layer.type().equals("PreparedStatement")) {
            out.append(ParameterCode.HOOKS);
        }
        for (ExecutableElement method : methods(layer.type())) {
            if (MethodCode.throwsSqlException(method)) {
                out.append('\n').append(body(layer, method));
            }
        }
        return out.append("}\n").toString();
    }

    private static String body(Layer layer, ExecutableElement method) {
        if (layer.type().equals("PreparedStatement") && ParameterCode.isSetter(method)) {
            return ParameterCode.setter(method);
        }
        boolean query = layer.type().equals("DatabaseMetaData")
                && method.getReturnType().toString().equals("java.sql.ResultSet");
        return query ? MethodCode.querying(method) : MethodCode.delegating(method);
    }
}
