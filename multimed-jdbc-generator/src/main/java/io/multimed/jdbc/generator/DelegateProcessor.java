package io.multimed.jdbc.generator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
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
    /** The hand-written classes of the package that generated classes extend: those for statements extend each other. */
    private static final Map<String, String> PARENTS =
            Map.of("PreparedStatement", "LogicalStatement", "CallableStatement", "LogicalPreparedStatement");

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
            for (String type : found.getAnnotation(GenerateDelegates.class).value()) {
                write(target, "Delegating" + type, delegating(target, type));
                if (type.equals("PreparedStatement")) {
                    write(target, "ParameterReplay", ParameterCode.replay(target, methods(type)));
                }
            }
        }
        return false;
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

    private String delegating(String target, String type) {
        String parent = PARENTS.getOrDefault(type, "");
        StringBuilder out = new StringBuilder();
        out.append("package ").append(target).append(";\n\n");
        out.append("/** Generated: every method of {@link java.sql.").append(type);
        out.append("} goes to what {@link #delegate} returns at the time. */\n");
        out.append("@org.jspecify.annotations.NullUnmarked\n");
        out.append("@SuppressWarnings({\"deprecation\", \"removal\"})\n");
        out.append("abstract class Delegating").append(type);
        if (!parent.isEmpty()) {
            out.append(" extends ").append(parent);
        }
        out.append(" implements java.sql.").append(type).append(" {\n");
        if (!parent.isEmpty()) {
            out.append("    Delegating").append(type);
            out.append("(io.multimed.jdbc.session.DriverSession session, StatementOwner owner, StatementForm form)");
            out.append(" throws java.sql.SQLException {\n");
            out.append("        super(session, owner, form);\n    }\n\n    @Override\n");
        }
        out.append("    abstract java.sql.").append(type).append(" delegate() throws java.sql.SQLException;\n");
        if (type.equals("DatabaseMetaData")) {
            out.append(QUERIES);
        }
        if (type.equals("PreparedStatement")) {
            out.append(ParameterCode.HOOKS);
        }
        for (ExecutableElement method : methods(type)) {
            if (MethodCode.throwsSqlException(method)) {
                out.append('\n').append(body(type, method));
            }
        }
        return out.append("}\n").toString();
    }

    private static String body(String type, ExecutableElement method) {
        if (type.equals("PreparedStatement") && ParameterCode.isSetter(method)) {
            return ParameterCode.setter(method);
        }
        boolean query = type.equals("DatabaseMetaData")
                && method.getReturnType().toString().equals("java.sql.ResultSet");
        return query ? MethodCode.querying(method) : MethodCode.delegating(method);
    }
}
