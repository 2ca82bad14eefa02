package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.samples.web.files.CacheStrategy;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.files.FileOptions;
import dev.sluice.samples.web.files.WritableDirectory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The content of a PUT that something keeps from the disk. */
@EnabledOnOs(OS.LINUX)
class PutHandlerTest {

    private static final int MORE_THAN_IS_WRITTEN_AT_ONCE = 100_000;

    private final ByteBuffer octets = ByteBuffer.wrap(("PUT /new HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n"
            + "x".repeat(MORE_THAN_IS_WRITTEN_AT_ONCE)).getBytes(US_ASCII));

    private final Binding real = Bindings.current();

    @TempDir
    private Path root;

    private CachedFileSystem files;
    private PutHandler handler;
    private RequestParser parser;
    private boolean memoryLacks;

    @BeforeEach
    void begin() throws IOException {
        Bindings.use(failing());
        DocumentRoot documents = new DocumentRoot(root);
        files = new CachedFileSystem(documents, FileOptions.of(CacheStrategy.NONE, 1, Duration.ofSeconds(1)));
        handler = new PutHandler(new WritableDirectory(documents, "/"), files, new HttpClock(Clock.systemUTC()),
                1 << 20, 0);
        parser = new RequestParser(Limits.DEFAULT, handler);
        assertEquals(RequestParser.Progress.STORE, parser.parse(octets));
        parser.request().storeContent();
        assertEquals(RequestParser.Progress.STORE, parser.parse(octets));
        assertEquals(1, parts());
    }

    @AfterEach
    void end() throws IOException {
        parser.close();
        files.close();
        Bindings.use(real);
        assertEquals(0, parts());
    }

    private long parts() throws IOException {
        try (Stream<Path> all = Files.list(root)) {
            return all.count();
        }
    }

    /** A binding in which writes to files fail when the test says so. */
    private Binding failing() {
        return real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T functions) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> {
                            if (memoryLacks && method.getName().equals("pwrite")) {
                                throw new OutOfMemoryError("as a test");
                            }
                            try {
                                return method.invoke(functions, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
            }
        });
    }

    @Test
    void contentThatNothingStoresIsRefused() {
        parser.request().refuseContent(Status.SERVICE_UNAVAILABLE);
        assertEquals(RequestParser.Progress.REFUSED, parser.parse(octets));
        assertEquals(Status.SERVICE_UNAVAILABLE, parser.refusal());
    }

    /** How much has been written is unknown, so nothing more may be. */
    @Test
    void contentWhoseWriteFailedIsRefused() throws IOException {
        memoryLacks = true;
        assertThrows(OutOfMemoryError.class, () -> parser.request().storeContent());
        assertEquals(0, parts());
        assertEquals(RequestParser.Progress.REFUSED, parser.parse(octets));
        assertEquals(Status.SERVICE_UNAVAILABLE, parser.refusal());
    }
}
