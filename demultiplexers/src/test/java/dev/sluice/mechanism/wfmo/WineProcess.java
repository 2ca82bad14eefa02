package dev.sluice.mechanism.wfmo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A program of Windows that ends when it is told to, in the same Wine as the calls of the test are made in. */
final class WineProcess implements AutoCloseable {

    private static final String SOURCE = """
            #include <windows.h>
            #include <stdio.h>
            #include <stdlib.h>
            int main(int count, char **arguments) {
                printf("%lu\\n", (unsigned long) GetCurrentProcessId());
                fflush(stdout);
                getchar();
                return (int) strtoul(arguments[1], NULL, 0);
            }
            """;
    private static final String PREFIX = "WINEPREFIX";

    private final Process process;
    private final BufferedReader output;
    private final long pid;

    /** Starts one that will return the code. */
    WineProcess(Path directory, long code) throws Exception {
        Path program = directory.resolve("process.exe");
        if (!Files.exists(program)) {
            compile(directory, program);
        }
        Map<String, String> environment = environment();
        ProcessBuilder builder = new ProcessBuilder(wine(), program.toString(), Long.toString(code))
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        process = builder.start();
        output = process.inputReader();
        pid = Long.parseLong(output.readLine().strip());
    }

    private static void compile(Path directory, Path program) throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve("process.c"), SOURCE);
        // As a GUI program, or Wine starts a console with it.
        Process compiler = new ProcessBuilder("x86_64-w64-mingw32-gcc", "-mwindows", "-o", program.toString(),
                source.toString()).redirectErrorStream(true).start();
        String messages = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, compiler.waitFor(), messages);
    }

    /** What the program under Wine was started with that makes the calls. */
    private static Map<String, String> environment() throws IOException {
        for (ProcessHandle child : ProcessHandle.current().children().toList()) {
            Map<String, String> environment = new TreeMap<>();
            for (String variable : Files.readString(Path.of("/proc/" + child.pid() + "/environ")).split("\0")) {
                int equals = variable.indexOf('=');
                if (equals > 0) {
                    environment.put(variable.substring(0, equals), variable.substring(equals + 1));
                }
            }
            if (environment.containsKey(PREFIX)) {
                return environment;
            }
        }
        throw new AssertionError("no process has a " + PREFIX);
    }

    private static String wine() {
        // Debian keeps the 64-bit loader off the PATH.
        return Stream.of((System.getenv("PATH") + ":/usr/lib/wine").split(File.pathSeparator))
                .flatMap(directory -> Stream.of(Path.of(directory, "wine64"), Path.of(directory, "wine")))
                .filter(Files::isExecutable).findFirst().orElseThrow().toString();
    }

    /** {@return its number in Windows} */
    long pid() {
        return pid;
    }

    void tellToEnd() throws IOException {
        process.getOutputStream().close();
    }

    @Override
    public void close() throws Exception {
        process.getOutputStream().close();
        process.waitFor();
        output.close();
        process.getErrorStream().close();
    }
}
