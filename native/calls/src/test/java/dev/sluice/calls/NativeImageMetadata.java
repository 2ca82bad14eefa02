package dev.sluice.calls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a module tells the builder of native images, in {@code META-INF/native-image}: one entry a line.
 *
 * @param lines of the file
 */
public record NativeImageMetadata(List<String> lines) {

    private static final int FIRST_JAVA_WITH_FFM = 22;
    private static final Pattern TYPE = Pattern.compile("\\{\"type\": \"([^\"]+)\".*");
    private static final Pattern PROXY = Pattern.compile("\\{\"type\": \\{\"proxy\": \\[\"([^\"]+)\"\\]\\}.*");
    private static final Pattern METHOD =
            Pattern.compile("\\{\"name\": \"([^\"]+)\", \"parameterTypes\": \\[([^\\]]*)\\]\\}");

    /** {@return that of an artifact on the class path} */
    public static NativeImageMetadata of(String artifact) {
        String name = "META-INF/native-image/dev.sluice/" + artifact + "/reachability-metadata.json";
        try (InputStream in = NativeImageMetadata.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError("there is no " + name);
            }
            return new NativeImageMetadata(new String(in.readAllBytes(), UTF_8).lines().map(String::strip).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the entries that begin with this key} */
    public List<String> entries(String key) {
        return lines.stream().filter(line -> line.startsWith("{\"" + key + "\": "))
                .map(line -> line.replaceFirst(",$", "")).toList();
    }

    /** {@return the names of the types whose methods are all listed} */
    public Set<String> typesWithAllMethods() {
        return entries("type").stream().filter(entry -> entry.contains("\"allDeclaredMethods\": true"))
                .map(entry -> group(TYPE, entry)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return the names of the interfaces of which proxies are made, each for itself} */
    public Set<String> proxies() {
        return entries("type").stream().filter(PROXY.asMatchPredicate()).map(entry -> group(PROXY, entry))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return the names of all types, but for the proxies} */
    public Set<String> types() {
        return entries("type").stream().filter(TYPE.asMatchPredicate()).map(entry -> group(TYPE, entry))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Fails if a type, constructor or method is listed that this Java does not have, though it should. */
    public void requireMembers() throws ReflectiveOperationException {
        List<String> missing = new ArrayList<>();
        for (String entry : entries("type")) {
            String name = group(PROXY.matcher(entry).matches() ? PROXY : TYPE, entry);
            if (name.startsWith("java.lang.foreign.") && Runtime.version().feature() < FIRST_JAVA_WITH_FFM) {
                continue;
            }
            Class<?> type = Class.forName(name, false, NativeImageMetadata.class.getClassLoader());
            for (MatchResult method : METHOD.matcher(entry).results().toList()) {
                if (members(type, method.group(1)).noneMatch(method.group(2)::equals)) {
                    missing.add(type.getName() + ": " + method.group());
                }
            }
        }
        assertEquals(List.of(), missing);
    }

    /** {@return the types of the parameters of all methods of the name, or of all constructors, as in the file} */
    private static Stream<String> members(Class<?> type, String name) {
        Stream<Class<?>[]> found = name.equals("<init>")
                ? Arrays.stream(type.getDeclaredConstructors()).map(each -> each.getParameterTypes())
                : Arrays.stream(type.getDeclaredMethods()).filter(each -> each.getName().equals(name))
                        .map(each -> each.getParameterTypes());
        return found.map(parameters -> Arrays.stream(parameters).map(each -> "\"" + each.getTypeName() + "\"")
                .collect(Collectors.joining(", ")));
    }

    private static String group(Pattern pattern, String entry) {
        return pattern.matcher(entry).results().map(match -> match.group(1)).findFirst()
                .orElseThrow(() -> new AssertionError("cannot be read: " + entry));
    }

    /** {@return the classes in a directory or jar, none of which is initialized} */
    public static List<Class<?>> classesAt(Path location) throws IOException, ClassNotFoundException {
        if (Files.isDirectory(location)) {
            return classesBelow(location);
        }
        try (FileSystem jar = FileSystems.newFileSystem(location)) {
            return classesBelow(jar.getPath("/"));
        }
    }

    private static List<Class<?>> classesBelow(Path root) throws IOException, ClassNotFoundException {
        List<String> names;
        try (Stream<Path> files = Files.walk(root)) {
            names = files.map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    // What is for another Java.
                    .filter(name -> !name.startsWith("META-INF/"))
                    .map(name -> name.replace(".class", "").replace('/', '.')).sorted().toList();
        }
        List<Class<?>> classes = new ArrayList<>();
        for (String name : names) {
            classes.add(Class.forName(name, false, NativeImageMetadata.class.getClassLoader()));
        }
        return classes;
    }
}
