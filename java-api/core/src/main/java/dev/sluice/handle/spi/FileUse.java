package dev.sluice.handle.spi;

import dev.sluice.handle.FileAlignment;
import org.jspecify.annotations.Nullable;

/**
 * What the options that a file was opened with mean for its transfers.
 *
 * @param appends   whether its writes go to its end
 * @param alignment what its transfers have to be multiples of; null unless it is accessed directly
 */
public record FileUse(boolean appends, @Nullable FileAlignment alignment) {

    /** That of a file without such options, and of everything else. */
    public static final FileUse NONE = new FileUse(false, null);
}
