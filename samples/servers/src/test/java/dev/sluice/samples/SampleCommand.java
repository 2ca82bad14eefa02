package dev.sluice.samples;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command line of a sample, with the class path of the tests. */
public final class SampleCommand {

    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final String MAIN = "dev.sluice.samples.Main";
    private static final String BINDING = "--native";
    /** What matters to a short life on a busy machine is the start. */
    static final List<String> FAST_START = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    private final List<String> arguments;
    private final List<String> options = new ArrayList<>();
    private JavaHome java = JavaHome.own();
    private String classPath = CLASS_PATH;
    private String main = MAIN;
    private String shell;
    private boolean holdingOutput;
    private boolean ownGroup;
    private boolean terminal;

    private SampleCommand(List<String> arguments) {
        this.arguments = arguments;
    }

    public static SampleCommand of(String... arguments) {
        return new SampleCommand(List.of(arguments));
    }

    public SampleCommand on(JavaHome home) {
        java = home;
        return this;
    }

    public SampleCommand withOption(String option) {
        options.add(option);
        return this;
    }

    SampleCommand withOptions(String... others) {
        options.addAll(List.of(others));
        return this;
    }

    public SampleCommand withClassPath(String path) {
        classPath = path;
        return this;
    }

    /** Sets another main class, which calls the samples' own. */
    public SampleCommand withMain(String className) {
        main = className;
        return this;
    }

    /** Sets a command for a shell to run before it becomes the sample. */
    public SampleCommand after(String shellCommand) {
        shell = shellCommand;
        return this;
    }

    /** Makes the sample and the processes that it starts a group that signals can be sent to. */
    public SampleCommand inGroupOfItsOwn() {
        ownGroup = true;
        return this;
    }

    /** Lets the sample see a terminal, on which both of its outputs appear. */
    public SampleCommand onTerminal() {
        terminal = true;
        return this;
    }

    /** Leaves what the sample prints after its first line in the pipe until {@link CapturedOutput#release()}. */
    public SampleCommand holdingOutput() {
        holdingOutput = true;
        return this;
    }

    /** Starts it in this JVM, or in a process of its own if only that can have what has been asked for. */
    public RunningSample start() throws IOException {
        if (main.equals(MAIN) && options.isEmpty() && java.equals(JavaHome.own()) && classPath.equals(CLASS_PATH)
                && shell == null && !ownGroup && !terminal && !holdingOutput && isOnThisBinding()) {
            return startInThisJvm();
        }
        return startProcess();
    }

    /** Starts it in this JVM with the names of files that Windows has, whatever the system. */
    public RunningSample startWithWindowsNames() {
        return SampleThread.start(new CapturedOutput(Patience.LIMIT), new CapturedOutput(Patience.LIMIT),
                () -> Platform.Os.WINDOWS, withoutBinding());
    }

    /** Starts it in this JVM. If its output is held, it waits with each line after the first: there is no pipe. */
    public RunningSample startInThisJvm() {
        return SampleThread.start(new CapturedOutput(holdingOutput, Patience.LIMIT), withoutBinding());
    }

    private boolean isOnThisBinding() {
        int option = arguments.indexOf(BINDING);
        return option < 0 || arguments.get(option + 1).equals(Bindings.current().name());
    }

    private String[] withoutBinding() {
        int option = arguments.indexOf(BINDING);
        List<String> others = new ArrayList<>(arguments);
        if (option >= 0) {
            others.subList(option, option + 2).clear();
        }
        return others.toArray(String[]::new);
    }

    /** {@return the command line of a process, but for the terminal} */
    List<String> words() {
        List<String> command = new ArrayList<>();
        if (ownGroup) {
            command.add("setsid");
        }
        if (shell != null) {
            command.addAll(List.of("/bin/sh", "-c", shell + " && exec \"$@\"", "sh"));
        }
        command.add(java.executable());
        // A heap that grows with every burst would hide what the sample itself holds on to.
        command.add("-Xmx128m");
        command.addAll(FAST_START);
        // A tenth of the start, for what the JVM of the tests does with the same classes.
        command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
        if (java.hasForeignFunctions()) {
            command.add(NATIVE_ACCESS);
        }
        command.addAll(options);
        SharedClasses shared = java.equals(JavaHome.own()) && classPath.equals(CLASS_PATH)
                ? SharedClasses.current() : null;
        if (shared == null) {
            command.addAll(List.of("-cp", classPath, main));
        } else {
            command.addAll(shared.options());
            command.addAll(List.of("-cp", shared.classPath(), main));
        }
        command.addAll(arguments);
        return command;
    }

    /** {@return the command line of a class of the tests, inside the packaged module of the samples} */
    static List<String> ofModules(Class<?> main) {
        String module = "dev.sluice.samples";
        String tests = Path.of(main.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
        return List.of(JavaHome.own().executable(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "--enable-native-access=dev.sluice.ffm,com.sun.jna,org.xerial.sqlitejdbc",
                "--patch-module", module + "=" + tests, "--add-reads", module + "=ALL-UNNAMED",
                "-p", PackagedSamples.modules().toString(), "-cp", CLASS_PATH, "-m", module + "/" + main.getName());
    }

    /** Starts it in a process of its own. */
    public SampleProcess startProcess() throws IOException {
        List<String> command = words();
        if (terminal) {
            String line = command.stream().map(word -> "'" + word.replace("'", "'\\''") + "'")
                    .collect(Collectors.joining(" "));
            command = List.of("script", "--quiet", "--return", "--command", line, "/dev/null");
        }
        return SampleProcess.start(new ProcessBuilder(command).redirectInput(new File("/dev/null")), holdingOutput);
    }
}
