package dev.sluice.campaign.power;

import java.util.Arrays;
import java.util.Random;

/** Bytes that are written to a file. */
final class Write extends Change {

    private static final int SECTOR = 512;

    private final int position;
    private byte[] bytes;

    Write(Inode inode, long position, byte[] bytes) {
        super(inode);
        this.position = Math.toIntExact(position);
        this.bytes = bytes;
    }

    @Override
    void completed(int time, long result) {
        super.completed(time, result);
        if (result >= 0 && result < bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) result);
        }
    }

    @Override
    void apply(FailedDisk disk) {
        if (bytes.length > 0) {
            disk.write(inode(), position, bytes, 0, bytes.length);
        }
    }

    @Override
    void tear(FailedDisk disk, Tearing tearing, Random random) {
        if (bytes.length == 0) {
            return;
        }
        int end = position + bytes.length;
        if (tearing == Tearing.SECTORS && random.nextBoolean()) {
            // The file system may have the new length, and zeros where the bytes are missing.
            disk.resize(inode(), end, true);
        }
        int first = position / SECTOR;
        int sectors = (end + SECTOR - 1) / SECTOR - first;
        int whole = tearing == Tearing.END || random.nextBoolean() ? random.nextInt(sectors + 1) : 0;
        for (int i = 0; i < sectors; i++) {
            if (i < whole || tearing == Tearing.SECTORS && random.nextBoolean()) {
                int from = Math.max(position, (first + i) * SECTOR);
                int to = Math.min(end, (first + i + 1) * SECTOR);
                disk.write(inode(), from, bytes, from - position, to - from);
            }
        }
    }
}
