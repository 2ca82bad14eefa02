package dev.sluice.samples;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** A Java that a sample can run on. */
public record JavaHome(Path path, int feature) {

    private static final int FIRST_WITH_NATIVE_ACCESS = 22;

    /** {@return the one that runs the tests} */
    public static JavaHome own() {
        return new JavaHome(Path.of(System.getProperty("java.home")), Runtime.version().feature());
    }

    /** {@return the tests' own, and the 17 that {@code -Dsluice.jdk17} or JAVA17_HOME names} */
    public static List<JavaHome> all() {
        List<JavaHome> homes = new ArrayList<>(List.of(own()));
        String named = System.getProperty("sluice.jdk17", System.getenv("JAVA17_HOME"));
        if (own().feature != 17 && named != null && Files.isReadable(Path.of(named, "release"))) {
            homes.add(new JavaHome(Path.of(named), featureOf(Path.of(named, "release"))));
        }
        return homes;
    }

    private static int featureOf(Path release) {
        Properties about = new Properties();
        try (Reader reader = Files.newBufferedReader(release)) {
            about.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Runtime.Version.parse(about.getProperty("JAVA_VERSION").replace("\"", "")).feature();
    }

    public String executable() {
        return path.resolve("bin").resolve("java").toString();
    }

    public boolean hasForeignFunctions() {
        return feature >= FIRST_WITH_NATIVE_ACCESS;
    }

    /** {@return its bindings, best first} */
    public List<String> bindings() {
        return hasForeignFunctions() ? List.of("ffm", "jna") : List.of("jna");
    }

    @Override
    public String toString() {
        return "java " + feature;
    }
}
