package dev.sluice.campaign.power;

/** A file or a directory, whatever names it has. */
final class Inode {

    /** What it had when the recording began. */
    private final byte[] content;

    Inode(byte[] content) {
        this.content = content;
    }

    byte[] content() {
        return content;
    }
}
