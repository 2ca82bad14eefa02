package dev.sluice.windows;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A HotSpot for Windows that runs under Wine, as {@code windows/set-up} makes it, and the drive C on which it works.
 * Its processes are processes of this system, too: a test ends them as it ends any other, and meets their servers by
 * loopback.
 */
public final class WindowsJvm {

    private static final Path FOLDER = Path.of(System.getProperty("sluice.windows.jvms", ""));

    private final int feature;
    private final Path home;

    private WindowsJvm(int feature) {
        this.feature = feature;
        home = FOLDER.resolve(String.valueOf(feature));
    }

    /**
     * Returns the JVM of a version. A test that needs one which has not been set up is skipped.
     *
     * @param feature 17, 21 or 25
     */
    public static WindowsJvm ofVersion(int feature) {
        WindowsJvm jvm = new WindowsJvm(feature);
        assumeTrue(Files.isExecutable(jvm.program()), () -> "no Java " + feature + " for Windows here: windows/set-up");
        return jvm;
    }

    public int feature() {
        return feature;
    }

    /** {@return its {@code java}, a script that starts {@code java.exe} with what Wine needs} */
    public Path program() {
        return home.resolve("java");
    }

    /** {@return the directory with {@code bin\java.exe}} */
    public Path javaHome() {
        return home.resolve("jre");
    }

    /**
     * Creates a directory on drive C. A JVM that starts on drive Z, which is the root of this system, finds Linux's
     * {@code /proc} there and takes it for its own.
     */
    public Path newDirectory() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(home.resolve("prefix/drive_c/tests")), "");
    }

    /** Deletes such a directory, with all that is in it. */
    public static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /**
     * Returns what starts a class.
     *
     * @param directory in which the process works, on drive C
     * @param options   of the JVM
     * @param classPath files and directories of this system
     * @param main      the name of the class, and its arguments
     */
    public ProcessBuilder command(Path directory, List<String> options, List<Path> classPath, String... main) {
        List<String> command = new ArrayList<>(List.of(program().toString()));
        command.addAll(options);
        command.add("-cp");
        command.add(classPath.stream().map(WindowsJvm::pathOf).collect(Collectors.joining(";")));
        command.addAll(List.of(main));
        return enter(new ProcessBuilder(command).directory(directory.toFile()));
    }

    /** Lets a program of Wine that this builder starts use the same drive C. */
    public ProcessBuilder enter(ProcessBuilder builder) {
        builder.environment().put("WINEPREFIX", home.resolve("prefix").toString());
        builder.environment().put("WINEDEBUG", "-all");
        builder.environment().remove("DISPLAY");
        return builder;
    }

    /** {@return the name that a file of this system has in Windows} */
    public String windowsPath(Path file) {
        Path drive = home.resolve("prefix/drive_c");
        return file.startsWith(drive) ? "C:\\" + drive.relativize(file).toString().replace('/', '\\') : pathOf(file);
    }

    private static String pathOf(Path file) {
        return "Z:" + file.toAbsolutePath().toString().replace('/', '\\');
    }

    /** {@return what is on the class path of the tests} */
    public static List<Path> classPathOfTests() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(path.split(File.pathSeparator)).map(Path::of).filter(Files::exists).toList();
    }

    @Override
    public String toString() {
        return "Java " + feature + " for Windows";
    }
}
