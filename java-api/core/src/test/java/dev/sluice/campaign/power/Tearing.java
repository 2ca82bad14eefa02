package dev.sluice.campaign.power;

/** What may be on a disk of a write that no force covers. */
public enum Tearing {

    /** Its first sectors. */
    END,

    /** Any of its sectors, and sometimes zeros for the others behind the end that the file had. */
    SECTORS
}
