package dev.sluice.walk;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Field;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.stream.Stream;

/**
 * A class of the library that was entered.
 *
 * @param name      its binary name
 * @param lines     of its source file; of a nested class, from its first line with code to the last
 * @param fields    that it declares for its instances
 * @param allFields the same, with those of its superclasses
 */
record EnteredClass(String name, int lines, long fields, long allFields) {

    static EnteredClass of(ReferenceType type, List<Path> sources) {
        return new EnteredClass(type.name(), lines(type, sources), ofInstances(type.fields()),
                ofInstances(type.allFields()));
    }

    private static long ofInstances(List<Field> fields) {
        return fields.stream().filter(field -> !field.isStatic()).count();
    }

    private static int lines(ReferenceType type, List<Path> sources) {
        if (type.name().contains("$")) {
            return codeLines(type);
        }
        String file = type.name().replace('.', '/') + ".java";
        Path source = sources.stream().map(folder -> folder.resolve(file)).filter(Files::exists).findFirst()
                .orElseThrow(() -> new AssertionError("no " + file + " in " + sources));
        try (Stream<String> lines = Files.lines(source)) {
            return (int) lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int codeLines(ReferenceType type) {
        try {
            IntSummaryStatistics numbers = type.allLineLocations().stream().mapToInt(Location::lineNumber)
                    .summaryStatistics();
            return numbers.getMax() - numbers.getMin() + 1;
        } catch (AbsentInformationException e) {
            throw new AssertionError(type.name(), e);
        }
    }

    @Override
    public String toString() {
        return "%-62s %4d lines %3d fields %3d with superclasses".formatted(name, lines, fields, allFields);
    }
}
