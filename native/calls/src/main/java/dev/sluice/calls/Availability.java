package dev.sluice.calls;

import java.util.Objects;

/**
 * Whether something can be used on this machine, and if not, why. Absence is a value here, never an exception.
 *
 * @param usable whether it can be used
 * @param reason if it cannot be used, why not, in one clause that a person can act on; otherwise what was found, may be
 *               empty
 */
public record Availability(boolean usable, String reason) {

    /** Usable, with nothing more to say. */
    public static final Availability USABLE = new Availability(true, "");

    /** Checks that there is a reason, if only an empty one. */
    public Availability {
        Objects.requireNonNull(reason, "reason");
    }

    /**
     * Not usable.
     *
     * @param reason why, in one clause that a person can act on
     * @return the unavailability
     */
    public static Availability missing(String reason) {
        return new Availability(false, reason);
    }
}
