package dev.sluice.campaign.power;

/** Which forces a disk reports as done that it has not executed. */
public enum Lie {

    /** None. */
    NONE,

    /** Those of files. */
    CONTENTS,

    /** Those of directories. */
    NAMES;

    boolean isAbout(Inode inode) {
        return this == (inode.content() == null ? NAMES : CONTENTS);
    }
}
