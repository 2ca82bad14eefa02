import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Finds what the build runs beside Maven, and writes it into the properties file that its argument names: the JDK to
 * compile with, one to test on Java 17, and the JVMs for Windows. Says what it has found, or what to install.
 *
 * <p>Why not maven-toolchains-plugin: this build needs two JDKs, its own and a 17 to test on, and a build has one
 * toolchain, which surefire names (and warns about) in every run that leaves it. And on a machine without a fitting JDK,
 * one line should say what to install.
 */
final class FindTools {

    /** A JDK, and its version as the file {@code release} tells it, so that no candidate has to be started. */
    private record Jdk(Path home, Runtime.Version version) {

        /** {@return the JDK at home there, null if there is none} */
        static Jdk at(Path home) {
            Path release = home.resolve("release");
            boolean compiles = Files.isRegularFile(home.resolve("bin/javac"))
                    || Files.isRegularFile(home.resolve("bin/javac.exe"));
            if (!compiles || !Files.isRegularFile(release)) {
                return null;
            }
            Properties about = new Properties();
            try (Reader reader = Files.newBufferedReader(release)) {
                about.load(reader);
            } catch (IOException e) {
                return null;
            }
            String version = about.getProperty("JAVA_VERSION", "").replace("\"", "");
            return version.matches("[1-9][0-9]*([.][0-9]+)*") ? new Jdk(home, Runtime.Version.parse(version)) : null;
        }

        boolean isBetween(int from, int to) {
            return version.feature() >= from && version.feature() <= to;
        }
    }

    private final Map<String, String> environment;
    private final Properties found = new Properties();

    private FindTools(Map<String, String> environment) {
        this.environment = environment;
    }

    public static void main(String[] arguments) throws IOException {
        FindTools tools = new FindTools(System.getenv());
        if (!tools.findJdks()) {
            System.err.println("Sluice builds with a JDK 22 or newer (25 recommended), and none was found: install"
                    + " one, e.g. Temurin 25, or point JAVA25_HOME at it.");
            System.exit(1);
        }
        tools.findWindows();
        tools.writeTo(Path.of(arguments[0]));
    }

    private boolean findJdks() {
        Jdk jdk = best("JAVA25_HOME", 22, Integer.MAX_VALUE);
        if (jdk == null) {
            return false;
        }
        found.setProperty("sluice.jdk", jdk.home().toString());
        System.out.println("built and tested with the JDK " + jdk.version() + " in " + jdk.home());
        Jdk old = best("JAVA17_HOME", 17, 17);
        found.setProperty("sluice.jdk.oldest", (old == null ? jdk : old).home().toString());
        if (old == null) {
            System.out.println("no JDK 17 was found, so JNA is tested on the same (JAVA17_HOME would name one)");
        } else {
            found.setProperty("sluice.jdk17", old.home().toString());
            System.out.println("tested with the JDK " + old.version() + " in " + old.home() + ", too");
        }
        return true;
    }

    /** {@return the one that the builder points at, or else the newest that is installed; null if there is none} */
    private Jdk best(String variable, int from, int to) {
        for (String home : List.of(environment.getOrDefault(variable, ""), System.getProperty("java.home"))) {
            Jdk jdk = home.isEmpty() ? null : Jdk.at(Path.of(home));
            if (jdk != null && jdk.isBetween(from, to)) {
                return jdk;
            }
        }
        Jdk best = null;
        for (Path home : installed()) {
            Jdk jdk = Jdk.at(home);
            if (jdk != null && jdk.isBetween(from, to)
                    && (best == null || jdk.version().compareTo(best.version()) > 0)) {
                best = jdk;
            }
        }
        return best;
    }

    private List<Path> installed() {
        String user = System.getProperty("user.home");
        String programs = environment.getOrDefault("ProgramFiles", "");
        List<Path> homes = new ArrayList<>();
        for (String place : List.of("/usr/lib/jvm", "/usr/java", "/opt", "/Library/Java/JavaVirtualMachines",
                user + "/.sdkman/candidates/java", user + "/.jdks",
                programs + "/Eclipse Adoptium", programs + "/Java", programs + "/Microsoft")) {
            File[] each = new File(place).listFiles();
            for (File home : each == null ? new File[0] : each) {
                // On macOS a JDK is a bundle.
                Path inBundle = home.toPath().resolve("Contents/Home");
                homes.add(Files.isDirectory(inBundle) ? inBundle : home.toPath());
            }
        }
        return homes;
    }

    /** Looks for what {@code windows/set-up} makes, where it makes it. */
    private void findWindows() {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path folder = Path.of(environment.getOrDefault("SLUICE_WINDOWS_JVMS",
                (cache.isEmpty() ? System.getProperty("user.home") + "/.cache" : cache) + "/sluice/windows-jvm"));
        List<String> versions = List.of("17", "21", "25").stream()
                .filter(version -> Files.isExecutable(folder.resolve(version).resolve("java"))).toList();
        boolean isMissing = !versions.contains("25");
        found.setProperty("sluice.windows.jvms", folder.toString());
        found.setProperty("sluice.windows.isMissing", String.valueOf(isMissing));
        System.out.println(isMissing
                ? "no Java 25 for Windows was found, so the tests of Windows are skipped: windows/set-up 25 17 fetches"
                + " it" : "what is for Windows is tested with Java " + String.join(", ", versions)
                + " for Windows, under Wine");
    }

    private void writeTo(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (Writer writer = Files.newBufferedWriter(file)) {
            found.store(writer, null);
        }
    }
}
