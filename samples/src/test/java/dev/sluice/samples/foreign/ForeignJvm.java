package dev.sluice.samples.foreign;

import dev.sluice.calls.Emulator;
import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A Java of another processor, under qemu-user.
 *
 * @param name     Debian's name of the processor and the version of Java, such as {@code s390x-25}
 * @param emulator the program that runs it
 * @param root     where its libraries are looked for
 * @param java     the foreign program
 */
record ForeignJvm(String name, String emulator, Path root, Path java) {

    private static final int FIRST_WITH_NATIVE_ACCESS = 22;

    /**
     * Fetches it, unless it is there already.
     *
     * @throws IOException if it cannot be had; the message says why in one line
     */
    static ForeignJvm named(String name) throws IOException, InterruptedException {
        int dash = name.lastIndexOf('-');
        if (dash < 0) {
            throw new IOException(name + " is not a processor and a version of Java, such as s390x-25");
        }
        Path place = Repository.root().resolve("samples/target/foreign").resolve(name);
        Process script = new ProcessBuilder(Repository.root().resolve(".ci/foreign-jvm").toString(),
                name.substring(0, dash), name.substring(dash + 1), place.toString()).redirectErrorStream(true).start();
        script.getOutputStream().close();
        String answer = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<String> lines = answer.lines().toList();
        if (script.waitFor() != 0 || lines.size() != 3) {
            throw new IOException(lines.isEmpty() ? "no answer" : lines.get(lines.size() - 1));
        }
        return new ForeignJvm(name, lines.get(0), Path.of(lines.get(1)), Path.of(lines.get(2)));
    }

    /** {@return its bindings, best first} */
    List<String> bindings() {
        return hasForeignFunctions() ? List.of("ffm", "jna") : List.of("jna");
    }

    private boolean hasForeignFunctions() {
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)) >= FIRST_WITH_NATIVE_ACCESS;
    }

    /** Makes the command that runs a program on it. */
    ProcessBuilder program(String binding, String classPath, String main, List<String> arguments) {
        // What is compiled is compiled by an emulated compiler, so little effort is best.
        List<String> command = new ArrayList<>(List.of(emulator, java.toString(), "-ea", "-Xmx512m",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        if (hasForeignFunctions()) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        // The kernel refuses to execute a foreign program, such as the one through which Java starts others.
        command.add("-Djdk.lang.Process.launchMechanism=VFORK");
        command.add("-D" + Emulator.PROPERTY + "=" + emulator);
        command.add("-Dsluice.native=" + binding);
        // Limits of whole tests do not know how slow it is here.
        command.add("-Djunit.jupiter.execution.timeout.mode=disabled");
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("QEMU_LD_PREFIX", root.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder;
    }

    @Override
    public String toString() {
        return name;
    }
}
