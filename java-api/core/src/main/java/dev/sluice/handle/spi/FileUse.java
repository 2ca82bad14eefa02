package dev.sluice.handle.spi;

import dev.sluice.handle.FileAlignment;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a file's transfers that its options determine.
 *
 * @param appends   whether writes append
 * @param alignment the alignment of its transfers; null unless it has direct access
 */
public record FileUse(boolean appends, @Nullable FileAlignment alignment) {

    /** For files without such options, and for other handles. */
    public static final FileUse NONE = new FileUse(false, null);
}
