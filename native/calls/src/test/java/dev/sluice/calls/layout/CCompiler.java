package dev.sluice.calls.layout;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A C compiler, asked for the values of constant expressions. They are read from the assembly that it writes, so that
 * nothing has to be linked or run and a compiler for another CPU answers as well as this machine's own.
 */
final class CCompiler {

    private static final Pattern ANSWER = Pattern.compile("\\.ascii\\s+\"=([\\w.]+) [$#]?(-?\\d+)\"");

    private final Path program;

    private CCompiler(Path program) {
        this.program = program;
    }

    /** {@return the first of the named compilers that is on the {@code PATH}} */
    static Optional<CCompiler> find(String... names) {
        String[] directories = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
        return Arrays.stream(names)
                .flatMap(name -> Arrays.stream(directories).map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .map(CCompiler::new);
    }

    /**
     * What C says. All claims are in one source, as reading the headers is most of the work.
     *
     * @return each field's value in C, by {@link Claims#key}
     * @throws AssertionError if the compiler refuses an expression; it names the field in the place of a file
     */
    Map<String, Long> evaluate(List<Claims> claims) throws IOException, InterruptedException {
        // Optimized, because a member of a structure's literal is a constant only then.
        return answers(run(source(claims), "-O1", "-S", "-o", "-"));
    }

    /**
     * All functions that headers declare.
     *
     * @param headers      without brackets
     * @param declarations further ones, in C
     */
    Prototypes prototypes(List<String> headers, String declarations) throws IOException, InterruptedException {
        Path listing = Files.createTempFile("prototypes", ".txt");
        try {
            run(includes(headers) + declarations, "-fsyntax-only", "-aux-info", listing.toString());
            return Prototypes.of(Files.readAllLines(listing));
        } finally {
            Files.delete(listing);
        }
    }

    private String run(String source, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "-x", "c"));
        command.addAll(List.of(options));
        command.add("-");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectErrorStream(true).start();
        try (OutputStream input = process.getOutputStream()) {
            input.write(source.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(program + " refuses:\n" + complaints(output));
        }
        return output;
    }

    private static String includes(List<String> headers) {
        return headers.stream().distinct().map(header -> "#include <" + header + ">\n")
                .collect(Collectors.joining("", "#define _GNU_SOURCE\n#include <stddef.h>\n", ""));
    }

    private static String source(List<Claims> claims) {
        List<String> headers = claims.stream().flatMap(each -> each.headers().stream()).toList();
        StringBuilder source = new StringBuilder(includes(headers)).append("""
                #define SAY(field, value) \
                        __asm__ volatile(".ascii \\"=" field " %0\\"" : : "i" ((long long) (value)))
                void say(void) {
                """);
        claims.forEach(each -> each.list().forEach(claim -> source.append("#line 1 \"").append(each.key(claim))
                .append("\"\nSAY(\"").append(each.key(claim)).append("\", ").append(claim.expression())
                .append(");\n")));
        return source.append("}\n").toString();
    }

    private static Map<String, Long> answers(String assembly) {
        Map<String, Long> values = new HashMap<>();
        Matcher answer = ANSWER.matcher(assembly);
        while (answer.find()) {
            values.put(answer.group(1), Long.valueOf(answer.group(2)));
        }
        return values;
    }

    // The assembly of the rest stands in the same stream.
    private static String complaints(String output) {
        return output.lines().filter(line -> line.contains("error: ")).collect(Collectors.joining("\n"));
    }

    @Override
    public String toString() {
        return program.toString();
    }
}
