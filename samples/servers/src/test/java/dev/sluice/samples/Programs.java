package dev.sluice.samples;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The programs of this machine that tests use, by their name on the PATH or as an absolute path. */
public final class Programs {

    private Programs() {
    }

    public static boolean has(String name) {
        return candidates(name).findFirst().isPresent();
    }

    public static Path find(String name) {
        return candidates(name).findFirst().orElseThrow(() -> new IllegalStateException("no " + name + " here"));
    }

    private static Stream<Path> candidates(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory).resolve(name)).filter(Files::isExecutable);
    }
}
