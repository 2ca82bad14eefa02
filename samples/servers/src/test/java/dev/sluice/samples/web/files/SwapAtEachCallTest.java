package dev.sluice.samples.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.campaign.Campaign;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A folder is swapped for a link to the outside before one call of the system, and back before a later one, for all
 * pairs of calls: what is found is inside, or nothing is.
 */
@EnabledOnOs(OS.LINUX)
class SwapAtEachCallTest {

    /** By chance, it is swapped before one in so many calls. */
    private static final int ONE_IN = 3;

    @TempDir
    private Path directory;

    private Path folder;
    private Path aside;
    private Path link;
    private Path outside;
    private Path root;

    private Binding real;
    private int calls;
    private int swapAt;
    private int swapBackAt;
    private boolean swapped;
    /** Decides before which calls it is swapped, or back; null if that is not by chance. */
    private Random swaps;

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    @BeforeEach
    void layOut() throws IOException {
        root = Files.createDirectories(directory.resolve("root"));
        folder = Files.createDirectories(root.resolve("parent/folder"));
        aside = root.resolve("aside");
        outside = Files.createDirectories(directory.resolve("outside"));
        link = Files.createSymbolicLink(root.resolve("link"), outside);
        Files.createDirectories(folder.resolve("below"));
        Files.createDirectories(outside.resolve("below"));
        for (String name : List.of("file", "below/file")) {
            Files.writeString(folder.resolve(name), "inside");
            Files.writeString(outside.resolve(name), "outside");
        }
        Files.writeString(outside.resolve("stranger"), "outside");
        Files.createSymbolicLink(root.resolve("detour"), Path.of("parent/../parent/folder"));
        Files.createSymbolicLink(root.resolve("absolute"), folder);
        real = Bindings.current();
        Bindings.use(real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        swapping(calls)));
            }
        }));
    }

    private InvocationHandler swapping(Object family) {
        return (proxy, method, arguments) -> {
            calls++;
            if (calls == swapAt) {
                swap();
            } else if (calls == swapBackAt) {
                swapBack();
            } else if (swaps != null && swaps.nextInt(ONE_IN) == 0) {
                if (swapped) {
                    swapBack();
                } else {
                    swap();
                }
            }
            try {
                return method.invoke(family, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
    }

    private void swap() throws IOException {
        Files.move(folder, aside);
        Files.move(link, folder);
        swapped = true;
    }

    private void swapBack() throws IOException {
        Files.move(folder, link);
        Files.move(aside, folder);
        swapped = false;
    }

    @AfterEach
    void useRealBinding() {
        Bindings.use(real);
    }

    /** Runs it without a swap first, to count its calls. */
    private void forAllPairs(Action action) throws Exception {
        swapAt = -1;
        swapBackAt = -1;
        calls = 0;
        action.run();
        // On the other way there may be some more.
        int last = calls + 5;
        assertTrue(last > 5, "it makes no calls");
        for (int from = 1; from <= last; from++) {
            for (int to = from + 1; to <= last + 1; to++) {
                calls = 0;
                swapAt = from;
                swapBackAt = to;
                try {
                    action.run();
                } finally {
                    swapAt = -1;
                    swapBackAt = -1;
                    if (swapped) {
                        swapBack();
                    }
                }
                assertNothingStrange(from, to);
            }
        }
    }

    private void assertNothingStrange(int from, int to) throws IOException {
        List<String> there = new ArrayList<>();
        try (Stream<Path> all = Files.walk(outside)) {
            all.forEach(each -> there.add(outside.relativize(each).toString()));
        }
        assertEquals(List.of("", "below", "below/file", "file", "stranger"), there.stream().sorted().toList(),
                "outside, swapped before call " + from + ", back before " + to);
        assertEquals("outside", Files.readString(outside.resolve("file")));
        try (Stream<Path> all = Files.walk(root)) {
            assertEquals(List.of(), all.filter(each -> each.getFileName().toString().startsWith(".")).toList(),
                    "left over, swapped before call " + from + ", back before " + to);
        }
    }

    private CachedFileSystem uncached() throws IOException {
        return new CachedFileSystem(new DocumentRoot(root), FileOptions.of(CacheStrategy.NONE, 1, Duration.ZERO));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/parent/folder/file", "/parent/folder/below/file", "/detour/file", "/absolute/below/file"})
    void whatIsReadIsInside(String path) throws Exception {
        try (CachedFileSystem files = uncached()) {
            forAllPairs(() -> {
                if (files.lookup(path) instanceof FileEntry entry) {
                    assertEquals("inside", Scenery.text(entry));
                    entry.release();
                }
            });
        }
    }

    @Test
    void whatIsListedIsInside() throws Exception {
        try (CachedFileSystem files = uncached()) {
            forAllPairs(() -> assertTrue(
                    files.list("/parent/folder/").stream().noneMatch(entry -> entry.name().equals("stranger"))));
        }
    }

    /** The user may replace it by a link at any time, other than the root, which belongs to the administrator. */
    @Test
    void whatIsReadOfAUserIsInside() throws Exception {
        DocumentRoot user = DocumentRoot.within(root.resolve("parent"), "folder");
        try (CachedFileSystem files = new CachedFileSystem(user,
                FileOptions.of(CacheStrategy.NONE, 1, Duration.ZERO))) {
            forAllPairs(() -> {
                if (files.lookup("/below/file") instanceof FileEntry entry) {
                    assertEquals("inside", Scenery.text(entry));
                    entry.release();
                }
            });
            forAllPairs(() -> assertTrue(
                    files.list("/").stream().noneMatch(entry -> entry.name().equals("stranger"))));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/parent/folder/file", "/detour/below/new"})
    @Tag(Depth.IN_QUICK)
    void whatIsReplacedIsInside(String path) throws Exception {
        WritableDirectory writable = new WritableDirectory(new DocumentRoot(root), "/");
        forAllPairs(() -> {
            try (Upload upload = writable.upload(path)) {
                if (upload != null) {
                    upload.begin();
                    upload.write(ByteBuffer.wrap(new byte[] {'x'}));
                    upload.replace();
                }
            }
        });
    }

    /** As often as it may be, before any calls, with whatever is done. */
    @Test
    @Tag(Campaign.TAG)
    void nothingOutsideIsFoundOrWrittenWhileItIsSwappedByChance() throws Exception {
        Campaign campaign = Campaign.begin("swapped folders");
        List<String> folders = List.of("/parent/folder/", "/parent/folder/below/", "/detour/", "/absolute/below/");
        WritableDirectory writable = new WritableDirectory(new DocumentRoot(root), "/");
        swapAt = -1;
        swapBackAt = -1;
        try (CachedFileSystem files = uncached()) {
            for (int round = 0; round < Campaign.count(300, 200_000); round++) {
                Random random = campaign.random(round);
                String folder = folders.get(random.nextInt(folders.size()));
                swaps = random;
                try {
                    act(random.nextInt(4), files, writable, folder);
                    swaps = null;
                    if (swapped) {
                        swapBack();
                    }
                    assertNothingStrange(-1, -1);
                } catch (Throwable e) {
                    throw new AssertionError(campaign + ", round " + round + ", in " + folder, e);
                }
            }
        }
    }

    private static void act(int what, CachedFileSystem files, WritableDirectory writable, String folder)
            throws Exception {
        switch (what) {
            case 0 -> {
                if (files.lookup(folder + "file") instanceof FileEntry entry) {
                    assertEquals("inside", Scenery.text(entry));
                    entry.release();
                }
            }
            case 1 -> assertTrue(files.list(folder).stream().noneMatch(each -> each.name().equals("stranger")));
            default -> {
                try (Upload upload = writable.upload(folder + "file")) {
                    if (upload != null) {
                        upload.begin();
                        upload.write(ByteBuffer.wrap("inside".getBytes(StandardCharsets.US_ASCII)));
                        if (what == 2) {
                            upload.replace();
                        }
                    }
                }
            }
        }
    }

    @Test
    void whatIsGivenUpIsRemoved() throws Exception {
        WritableDirectory writable = new WritableDirectory(new DocumentRoot(root), "/parent/");
        forAllPairs(() -> {
            try (Upload upload = writable.upload("/parent/folder/file")) {
                if (upload != null) {
                    upload.begin();
                }
            }
        });
    }
}
