package dev.sluice.samples.doctor;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * A choice of the library among several candidates, possibly forced by a system property.
 *
 * @param property the property that forces the choice; empty if none does
 * @param chosen    the name of the selected one; empty if there is none
 * @param complaint the reason why none is selected; empty if one is
 */
record Choice(Optional<String> property, String chosen, String complaint) {

    /**
     * Chooses.
     *
     * @param property that forces the choice; empty if none does
     * @param chooser  returns the name, or throws if there is nothing to choose
     */
    static Choice of(Optional<String> property, Supplier<String> chooser) {
        try {
            return new Choice(property, chooser.get(), "");
        } catch (IllegalStateException | IllegalArgumentException e) {
            return new Choice(property, "", e.getMessage());
        }
    }

    boolean isForced() {
        return property.isPresent();
    }

    boolean isMade() {
        return !chosen.isEmpty();
    }

    /** {@return a remark about a candidate} */
    String remark(String name, String reason) {
        if (!name.equals(chosen)) {
            return reason;
        }
        return property.map(forcing -> "forced by -D" + forcing).orElse("auto");
    }
}
