package dev.sluice.samples.configurator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A service that is to be there.
 *
 * @param name    its name
 * @param options by their names
 */
public record ServiceDirective(String name, Map<String, String> options) {

    /**
     * Reads a directive: the name, and options of the form {@code name=value} with blanks between them.
     *
     * @param text the directive
     * @return what it says
     * @throws IllegalArgumentException if it is of another form
     */
    public static ServiceDirective parse(String text) {
        List<String> words = new ArrayList<>(List.of(text.strip().split("\\s+")));
        String name = words.remove(0);
        if (name.isEmpty() || name.contains("=") || name.contains(",")) {
            throw new IllegalArgumentException("must be a name and options 'name=value', not '" + text + "'");
        }
        Map<String, String> options = new LinkedHashMap<>();
        for (String word : words) {
            int sign = word.indexOf('=');
            if (sign < 1) {
                throw new IllegalArgumentException("the options of " + name + " must be 'name=value', not '" + word
                        + "'");
            }
            if (options.put(word.substring(0, sign), word.substring(sign + 1)) != null) {
                throw new IllegalArgumentException("the option " + word.substring(0, sign) + " of " + name
                        + " is there twice");
            }
        }
        return new ServiceDirective(name, options);
    }
}
