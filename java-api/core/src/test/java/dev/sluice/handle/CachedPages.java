package dev.sluice.handle;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.LinuxFileConstants;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;
import java.time.Duration;

/** What Linux has of a file in its cache. */
public final class CachedPages {

    private static final int ATTEMPTS = 10;
    private static final Duration MOMENT = Duration.ofSeconds(3);

    /** Reads or writes. */
    public interface Transfer {
        void make() throws Exception;
    }

    private CachedPages() {
    }

    /**
     * {@return the result of {@code preadv2(RWF_NOWAIT)} of a byte: 1 if the cache has it; {@code EAGAIN} if it has
     * not; {@code EOPNOTSUPP} if the file system does not say}
     */
    public static long read(FileHandle file, long position) throws IOException {
        try (MemoryBlock memory = Bindings.current().memory().allocate(Iovec.SIZE + 1)) {
            Iovec.set(memory.buffer(), 0, memory.address() + Iovec.SIZE, 1);
            int fd = (int) Descriptors.of(file.handle()).acquire();
            try {
                return Bindings.current().linux().preadv2(fd, memory.address(), 1, position,
                        LinuxFileConstants.RWF_NOWAIT);
            } finally {
                Descriptors.of(file.handle()).release();
            }
        }
    }

    /**
     * {@return whether the cache lacks a byte after a transfer} The kernel drops what was written when the disk has
     * taken it, and nothing that another thread is using, as when it writes back. So the transfer is repeated a few
     * times.
     */
    public static boolean areDropped(FileHandle file, long position, Transfer transfer) throws Exception {
        for (int i = 0; i < ATTEMPTS; i++) {
            file.force();
            file.evict(0, Long.MAX_VALUE);
            transfer.make();
            Patience patience = new Patience(MOMENT);
            do {
                if (Errno.EAGAIN.is(read(file, position))) {
                    return true;
                }
            } while (patience.lasts());
        }
        return false;
    }
}
