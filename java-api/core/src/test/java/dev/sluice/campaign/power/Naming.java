package dev.sluice.campaign.power;

/** A name that a directory gets, loses, or gives to another file; or a file that gets another name in it. */
final class Naming extends Change {

    private final String removed;
    private final String name;
    private final Inode named;

    /**
     * Creates a change.
     *
     * @param directory the directory
     * @param removed   a name that it loses; null if there is none
     * @param name      a name that it has from then on; null if there is none
     * @param named     what has that name
     */
    Naming(Inode directory, String removed, String name, Inode named) {
        super(directory);
        this.removed = removed;
        this.name = name;
        this.named = named;
    }

    @Override
    boolean isOfNames() {
        return true;
    }

    @Override
    void apply(FailedDisk disk) {
        disk.name(inode(), removed, name, named);
    }
}
