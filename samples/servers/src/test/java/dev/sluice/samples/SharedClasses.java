package dev.sluice.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The classes of the samples in an archive from which their processes map them, instead of reading and linking them:
 * most of the processor time of a short process is its start. The first process of a build that needs it makes it, in
 * the directory that {@code sluice.tests.classes} names; processes that are started meanwhile do without.
 */
final class SharedClasses {

    private static final String DIRECTORY = System.getProperty("sluice.tests.classes", "");
    private static final String ARCHIVE = "samples.jsa";
    private static final String CLASS_PATH = "class-path";

    private static SharedClasses current;
    /** In a Java without an archive of its own classes. */
    private static boolean isImpossible;

    private final String classPath;
    private final List<String> options;

    private SharedClasses(Path directory) throws IOException {
        classPath = Files.readString(directory.resolve(CLASS_PATH));
        // The archive that is a part of Java was made without native access, which is said on standard output.
        options = List.of("-XX:SharedArchiveFile=" + directory.resolve(ARCHIVE), "-Xlog:cds=off");
    }

    /** {@return the class path of the tests with jars in place of directories, as the archive needs it} */
    String classPath() {
        return classPath;
    }

    /** {@return the options of a JVM that uses the archive} */
    List<String> options() {
        return options;
    }

    /** {@return the archive, null if there is none} */
    static synchronized SharedClasses current() {
        if (current == null && !isImpossible && !DIRECTORY.isEmpty()) {
            try {
                Path directory = Files.createDirectories(Path.of(DIRECTORY));
                if (Files.exists(directory.resolve(ARCHIVE)) || make(directory)) {
                    current = new SharedClasses(directory);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return current;
    }

    /** {@return whether it has been made; not if another process is about to make it} */
    private static boolean make(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE); FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return false;
            }
            Path archive = directory.resolve(ARCHIVE);
            if (Files.exists(archive)) {
                return true;
            }
            forgetOthers(directory);
            String jars = JarredClassPath.in(directory);
            Files.writeString(directory.resolve(CLASS_PATH), jars);
            Path unfinished = directory.resolve("unfinished.jsa");
            rehearse(jars, unfinished, directory.resolve("log"));
            if (Files.notExists(unfinished)) {
                isImpossible = true;
                return false;
            }
            Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
            return true;
        }
    }

    /** Deletes those of earlier builds. */
    private static void forgetOthers(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory.getParent())) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.startsWith(directory) && !directory.startsWith(file)) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void rehearse(String jars, Path archive, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(JavaHome.own().executable()));
        command.addAll(SampleCommand.FAST_START);
        if (JavaHome.own().hasForeignFunctions()) {
            command.add(SampleCommand.NATIVE_ACCESS);
        }
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-cp", jars, "dev.sluice.samples.Rehearsal"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("no archive of classes could be made: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            process.destroyForcibly();
        }
    }
}
