package dev.sluice.samples.foreign;

import dev.sluice.calls.Emulator;
import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A Java that is not installed here: one of another processor, under qemu-user, or another version for this one.
 *
 * @param name    Debian's name of the processor and the version of Java, such as {@code s390x-25}
 * @param starter what the command that runs it begins with
 * @param root    where qemu-user looks for its libraries
 * @param java    the foreign program
 */
record OtherPlatformJvm(String name, List<String> starter, Path root, Path java) {

    private static final int FIRST_WITH_NATIVE_ACCESS = 22;
    private static final int MIN_LINES = 3;

    /**
     * Fetches it, unless it is there already.
     *
     * @throws IOException if it cannot be had; the message says why in one line
     */
    static OtherPlatformJvm named(String name) throws IOException, InterruptedException {
        int dash = name.lastIndexOf('-');
        if (dash < 0) {
            throw new IOException(name + " is not a processor and a version of Java, such as s390x-25");
        }
        Path place = Repository.root().resolve("samples/servers/target/foreign").resolve(name);
        Process script = new ProcessBuilder(Repository.root().resolve(".ci/foreign-jvm").toString(),
                name.substring(0, dash), name.substring(dash + 1), place.toString()).redirectErrorStream(true).start();
        script.getOutputStream().close();
        String answer = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<String> lines = answer.lines().toList();
        int last = lines.size() - 1;
        if (script.waitFor() != 0 || lines.size() < MIN_LINES) {
            throw new IOException(lines.isEmpty() ? "no answer" : lines.get(last));
        }
        return new OtherPlatformJvm(name, lines.subList(0, last - 1), Path.of(lines.get(last - 1)),
                Path.of(lines.get(last)));
    }

    /** {@return its bindings, best first} */
    List<String> bindings() {
        return hasForeignFunctions() ? List.of("ffm", "jna") : List.of("jna");
    }

    private boolean hasForeignFunctions() {
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)) >= FIRST_WITH_NATIVE_ACCESS;
    }

    /** {@return how long to wait for what must happen there, if it is this on the busiest machine} */
    Duration timeout(Duration limit) {
        return Emulator.patience(limit, isEmulated());
    }

    private boolean isEmulated() {
        return Emulator.isEmulator(starter);
    }

    /** Creates the command that runs a program on it. */
    ProcessBuilder program(String binding, String classPath, String main, List<String> arguments) {
        List<String> command = new ArrayList<>(starter);
        command.addAll(List.of(java.toString(), "-ea", "-Xmx512m"));
        if (isEmulated()) {
            // What is compiled is compiled by an emulated compiler, so little effort is best.
            command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        }
        if (hasForeignFunctions()) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        // The kernel cannot execute a foreign program, such as the one through which Java starts others.
        command.add("-Djdk.lang.Process.launchMechanism=VFORK");
        command.add("-D" + Emulator.PROPERTY + "=" + String.join("\n", starter));
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
