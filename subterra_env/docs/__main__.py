"""``python -m subterra_env.docs``: writes the reference pages anew."""

from subterra_env.docs.pages import write

if __name__ == "__main__":
    for path in write():
        print(path)
