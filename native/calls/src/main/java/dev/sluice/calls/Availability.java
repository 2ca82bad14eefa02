package dev.sluice.calls;

import java.util.Objects;

/**
 * Whether something can be used on this machine and, if not, why. Absence is a value, not an exception.
 *
 * @param usable whether it can be used
 * @param reason if it cannot be used, the reason, in one clause that says what to do; otherwise what was found,
 *               possibly empty
 */
public record Availability(boolean usable, String reason) {

    /** Usable, without further information. */
    public static final Availability USABLE = new Availability(true, "");

    /** Checks that the reason is not null. */
    public Availability {
        Objects.requireNonNull(reason, "reason");
    }

    /**
     * Returns an unavailability.
     *
     * @param reason the reason, in one clause that says what to do
     * @return the unavailability
     */
    public static Availability missing(String reason) {
        return new Availability(false, reason);
    }
}
