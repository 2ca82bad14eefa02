package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A folder below a root that is swapped, by chance before any call of the system in this JVM, for a link to the
 * outside, for another folder inside, or for a file, and back. All inside is {@link #INSIDE}, over and over, and what
 * is outside {@link #OUTSIDE}; there are more names outside.
 */
public final class ChanceSwap implements AutoCloseable {

    public static final String INSIDE = "inside ";
    public static final String OUTSIDE = "outside";
    /** A name that is outside alone. */
    public static final String STRANGER = "stranger";
    /** Ways to the folder, and below it, each with a {@code file}. */
    public static final List<String> FOLDERS =
            List.of("/parent/folder/", "/parent/folder/below/", "/detour/", "/absolute/below/");

    private static final int REPEATED = 1000;
    /** It is swapped before one in so many calls. */
    private static final int ONE_IN = 4;

    private final Path root;
    private final Path outside;
    private final Path folder;
    private final Path aside;
    private final List<Path> others;
    private final List<String> thereBefore;
    private final Binding real;
    private Random random;
    /** What has taken the place of the folder, null if nothing has. */
    private Path swapped;

    /** Lays out everything, and has the calls of this JVM go through here from now on. */
    public ChanceSwap(Path directory) throws IOException {
        root = Files.createDirectories(directory.resolve("root"));
        outside = Files.createDirectories(directory.resolve("outside"));
        folder = Files.createDirectories(root.resolve("parent/folder"));
        aside = root.resolve("aside");
        Path other = root.resolve("other");
        for (Path inside : List.of(folder, other)) {
            fill(inside, INSIDE, "file", "below/file");
        }
        fill(outside, OUTSIDE, "file", "below/file", STRANGER, "index.html", "below/index.html");
        for (String name : List.of("file.gz", "below/file.gz")) {
            Files.write(outside.resolve(name), zipped(OUTSIDE.repeat(REPEATED)));
        }
        Files.createSymbolicLink(root.resolve("detour"), Path.of("parent/../parent/folder"));
        Files.createSymbolicLink(root.resolve("absolute"), folder);
        others = List.of(Files.createSymbolicLink(root.resolve("link"), outside), other,
                Files.writeString(root.resolve("plain"), INSIDE.repeat(REPEATED)));
        thereBefore = names(outside);
        real = Bindings.current();
        Bindings.use(real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        swapping(calls)));
            }
        }));
    }

    private static void fill(Path directory, String text, String... names) throws IOException {
        for (String name : names) {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text.repeat(REPEATED));
        }
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(octets)) {
            zip.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return octets.toByteArray();
    }

    private static List<String> names(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> all = Files.walk(directory)) {
            all.forEach(each -> names.add(directory.relativize(each).toString()));
        }
        names.sort(null);
        return names;
    }

    public Path root() {
        return root;
    }

    private InvocationHandler swapping(Object family) {
        return (proxy, method, arguments) -> {
            before();
            try {
                return method.invoke(family, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
    }

    private synchronized void before() throws IOException {
        if (random == null || random.nextInt(ONE_IN) > 0) {
            return;
        }
        if (swapped == null) {
            swapped = others.get(random.nextInt(others.size()));
            Files.move(folder, aside);
            Files.move(swapped, folder);
        } else {
            swapBack();
        }
    }

    private void swapBack() throws IOException {
        Files.move(folder, swapped);
        Files.move(aside, folder);
        swapped = null;
    }

    /** Begins to swap. */
    public synchronized void begin(Random chance) {
        random = chance;
    }

    /** Ends it, with the folder in its place. */
    public synchronized void end() throws IOException {
        random = null;
        if (swapped != null) {
            swapBack();
        }
    }

    /** Checks that nothing has been written outside, and that no temporary file stays. To be called between swaps. */
    public void check() throws Exception {
        Patience.until("no temporary file stays", () -> {
            try (Stream<Path> all = Files.walk(root)) {
                return all.noneMatch(each -> each.getFileName().toString().startsWith("."));
            } catch (NoSuchFileException | UncheckedIOException e) {
                // It goes just now.
                return false;
            }
        });
        assertEquals(thereBefore, names(outside));
        for (String name : thereBefore) {
            Path file = outside.resolve(name);
            if (Files.isRegularFile(file) && !name.endsWith(".gz")) {
                assertEquals(OUTSIDE.repeat(REPEATED), Files.readString(file), name);
            }
        }
    }

    @Override
    public void close() throws IOException {
        end();
        Bindings.use(real);
    }
}
