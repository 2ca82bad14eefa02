package dev.sluice.samples;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/** The tests' class path with every directory packed into a jar. */
public final class JarredClassPath {

    private JarredClassPath() {
    }

    public static String in(Path directory) throws IOException {
        List<String> elements = new ArrayList<>();
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(element);
            elements.add(Files.isDirectory(path)
                    ? jar(path, directory.resolve(elements.size() + ".jar")).toString()
                    : element);
        }
        return String.join(File.pathSeparator, elements);
    }

    private static Path jar(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file);
                Stream<Path> files = Files.walk(classes)) {
            out.setLevel(Deflater.NO_COMPRESSION);
            for (Path each : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString().replace(File.separatorChar, '/')));
                Files.copy(each, out);
            }
        }
        return jar;
    }
}
