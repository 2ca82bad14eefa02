package dev.sluice.samples.web.protocol;

/**
 * Where a filter stands among those whose order RFC 9110 fixes: section 13.2.1 has conditions evaluated on what would
 * be sent otherwise, in the coding that has been selected, and section 14.2 has ranges taken of that.
 */
public enum FilterPosition {
    /** It sees the whole representation in the selected coding, and what it adds is there in a 304 as well. */
    BEFORE_CONDITIONS,
    /** It sees what the conditions have left of the reply. */
    BEFORE_RANGES,
    /** It sees the reply as it is sent. */
    AFTER_RANGES
}
