package dev.sluice.demultiplexer.iouring;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.handle.SystemCallException;

/** Memory that is shared with the kernel. */
final class KernelMemory {

    private KernelMemory() {
    }

    /**
     * Maps memory that is shared with the kernel.
     *
     * @param subject the description of the memory, for messages
     * @param flags   the flags of {@code mmap}
     * @throws SystemCallException if the kernel refuses
     */
    static MemoryBlock map(Binding binding, String subject, int size, int flags, int descriptor, long offset)
            throws SystemCallException {
        Posix posix = binding.posix();
        long address = posix.mmap(0, size, FileConstants.PROT_READ | FileConstants.PROT_WRITE, flags, descriptor,
                offset);
        if (address < 0) {
            throw new SystemCallException("mmap", subject, address);
        }
        Runnable release;
        try {
            release = () -> posix.munmap(address, size);
        } catch (Throwable e) {
            posix.munmap(address, size);
            throw e;
        }
        return binding.memory().wrap(address, size, release);
    }
}
