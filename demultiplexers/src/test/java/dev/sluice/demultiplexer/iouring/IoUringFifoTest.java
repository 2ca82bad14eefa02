package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How this kernel opens a FIFO whose other end is not open, which {@link Operation#open} tells users. */
@EnabledIfIoUring
@Timeout(60)
class IoUringFifoTest extends LeakChecked {

    @TempDir
    private Path directory;
    private Path fifo;
    private AsynchronousEventDemultiplexer demultiplexer;
    private Completions completions;

    @BeforeEach
    void open() throws Exception {
        fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor());
        demultiplexer = own(new IoUringDemultiplexer());
        completions = own(demultiplexer.newCompletions(1));
    }

    private long result(StandardOpenOption... options) throws IOException {
        Operation open = demultiplexer.newOperation();
        open.open(fifo, options);
        assertEquals(1, demultiplexer.awaitCompletions(completions, AsynchronousEventDemultiplexer.FOREVER));
        return completions.result(0);
    }

    @Test
    void forReadingItIsOpenAtOnce() throws IOException {
        assertEquals(0, result(StandardOpenOption.READ));
        FileHandle reader = own(completions.get(0).file());
        assertTrue(reader.handle().isOpen());
        assertEquals(0, result(StandardOpenOption.WRITE));
        own(completions.get(0).file());
    }

    @Test
    void forWritingItIsRefusedWithoutAReader() throws IOException {
        assertEquals(-Errno.ENXIO.number(), result(StandardOpenOption.WRITE));
        assertNull(completions.get(0).file());
    }
}
