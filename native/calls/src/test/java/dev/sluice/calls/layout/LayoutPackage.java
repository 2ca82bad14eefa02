package dev.sluice.calls.layout;

import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.WindowsError;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The classes of the package, found in their directory or jar, so that none can be forgotten. */
final class LayoutPackage {

    private static final String NAME = On.class.getPackageName();

    private LayoutPackage() {
    }

    static List<Class<?>> classes() throws IOException {
        Path location = CodeLocation.of(On.class);
        if (Files.isDirectory(location)) {
            return classes(location);
        }
        try (FileSystem jar = FileSystems.newFileSystem(location)) {
            return classes(jar.getPath("/"));
        }
    }

    static List<Claims> claims() throws IOException {
        Stream<Claims> annotated = classes().stream().flatMap(type -> Claims.of(type).stream());
        Stream<Claims> others = Stream.of(Claims.ofErrno(), Claims.of(WindowsError.class).orElseThrow(),
                Claims.ofExtensionFunctions());
        return Stream.concat(annotated, others).toList();
    }

    private static List<Class<?>> classes(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(NAME.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .sorted()
                    .<Class<?>>map(name -> load(NAME + "." + name.substring(0, name.length() - ".class".length())))
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
