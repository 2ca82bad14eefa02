package dev.sluice.calls.layout;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The C expression for a field, where it differs from the Java name (in lower case for a member). In a structure's
 * class, a leading {@code =} says that the field is a constant and not a member.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface CName {

    /** {@return the member, macro or constant expression in C} */
    String value();
}
