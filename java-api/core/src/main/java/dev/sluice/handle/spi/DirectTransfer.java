package dev.sluice.handle.spi;

import dev.sluice.handle.FileAlignment;

/** Rejects transfers that direct access does not allow, because the system's error would not name the reason. */
public final class DirectTransfer {

    private DirectTransfer() {
    }

    /**
     * Checks a transfer.
     *
     * @param file     a file with direct access
     * @param reading  whether it is read
     * @param position the position of the first byte in the file; ignored for appending
     * @param address  the address of the buffer's first byte; negative if the system cannot access the buffer itself
     * @param length   the number of bytes
     * @throws IllegalArgumentException if one of them is not aligned, or the write cannot be atomic but has to be
     */
    public static void require(Descriptor file, boolean reading, long position, long address, long length) {
        FileAlignment alignment = file.alignment();
        int unit = reading ? alignment.read() : alignment.write();
        if (reading || !file.appends()) {
            requireMultiple("position", position, unit, file);
        }
        requireMultiple("length", length, unit, file);
        if (address < 0) {
            throw new IllegalArgumentException("memory: the buffer is on the heap or in a shared arena, and would be"
                    + " copied; direct transfers of " + file + " need one at a multiple of " + alignment.memory()
                    + ", as FileAlignment.allocate makes them");
        }
        requireMultiple("memory", address, alignment.memory(), file);
        if (!reading && file.transfers().isAtomic()) {
            requireAtomic(file, position, length);
        }
    }

    /**
     * Checks the target of a copy.
     *
     * @param target the file to copy to
     * @throws IllegalArgumentException if each write to it has to be atomic
     */
    public static void requireCopyTarget(Descriptor target) {
        if (target.transfers().isAtomic()) {
            throw new IllegalArgumentException("target: a copy to " + target + " would not be atomic, as its writes"
                    + " have to be; open it without FileOption.ATOMIC");
        }
    }

    private static void requireAtomic(Descriptor file, long position, long length) {
        FileUse use = file.transfers();
        if (Long.bitCount(length) != 1 || length < use.minAtomic() || length > use.maxAtomic()) {
            throw new IllegalArgumentException("length: " + length + " is not a power of two from " + use.minAtomic()
                    + " to " + use.maxAtomic() + ", as atomic writes of " + file + " need it");
        }
        if ((position & length - 1) != 0) {
            throw new IllegalArgumentException("position: " + position + " is not a multiple of the length, " + length
                    + ", as atomic writes of " + file + " need it");
        }
    }

    /**
     * Checks the number of buffers of a transfer.
     *
     * @param file    a file with direct access
     * @param reading whether it is read
     * @param buffers the number of buffers that have bytes, or of the first of these
     * @throws IllegalArgumentException if the write cannot be atomic but has to be
     */
    public static void requireBuffers(Descriptor file, boolean reading, int buffers) {
        if (!reading && buffers > 1 && file.transfers().isAtomic()) {
            throw new IllegalArgumentException("buffers: an atomic write of " + file
                    + " takes the bytes of one buffer");
        }
    }

    private static void requireMultiple(String what, long value, int unit, Descriptor file) {
        if ((value & unit - 1) != 0) {
            throw new IllegalArgumentException(what + ": " + value + " is not a multiple of " + unit
                    + ", as direct transfers of " + file + " need it");
        }
    }
}
