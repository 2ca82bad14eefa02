package dev.sluice.campaign.power;

/** A new length of a file. */
final class Resize extends Change {

    private final int size;
    private final boolean extendsOnly;

    /**
     * Creates a change.
     *
     * @param inode       the file
     * @param size        the length in bytes
     * @param extendsOnly whether a longer file stays as long as it is
     */
    Resize(Inode inode, long size, boolean extendsOnly) {
        super(inode);
        this.size = Math.toIntExact(size);
        this.extendsOnly = extendsOnly;
    }

    @Override
    void apply(FailedDisk disk) {
        disk.resize(inode(), size, extendsOnly);
    }
}
